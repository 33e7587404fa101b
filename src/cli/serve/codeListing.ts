import type { PlainAnswer, PlainRoute } from '../../api/core/PlainRoute.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { fromBase64 } from '../../primitives/base64.ts'
import { CodedError } from '../../primitives/errors.ts'
import { nextTurn } from '../../primitives/scheduling.ts'
import { describeCode } from '../inspect/describeCode.ts'

/** No code of the main network is larger. */
const MAX_BODY_BYTES = 512 * 1024

/** Lists the instructions of contract code for the explorer: the code comes as `{ "boc": base64 }`. */
export const codeListingRoute: PlainRoute = {
  method: 'POST',
  path: '/disassemble',
  answer: async ({ body }) => {
    if (body === undefined || body.length > MAX_BODY_BYTES) return refuse('Expected { "boc": code in base64 }.')
    // The longest take a tenth of a second: of many that come at once, one gets each turn of the event loop.
    await nextTurn()
    try {
      const { boc } = JSON.parse(new TextDecoder().decode(body)) as { readonly boc?: unknown }
      if (typeof boc !== 'string') return refuse('Expected { "boc": code in base64 }.')
      return answer(200, describeCode(decodeSingleBoc(fromBase64(boc))))
    } catch (error) {
      if (error instanceof CodedError) return refuse(error.message)
      if (error instanceof SyntaxError || error instanceof TypeError) return refuse('The body is not valid JSON.')
      throw error
    }
  },
}

const answer = (status: number, body: unknown): PlainAnswer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', 'x-content-type-options': 'nosniff' },
  body: JSON.stringify(body),
})

const refuse = (error: string): PlainAnswer => answer(400, { error })
