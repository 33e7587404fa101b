import { Type } from 'typebox'
import { decodeSingleBoc } from '../../../codec/cell/decodeBoc.ts'
import { explainUndecoded } from '../../../contracts/layouts/createBodyDecoder.ts'
import { type DecodedObject, TRUNCATED } from '../../../contracts/layouts/DecodedValue.ts'
import { fromBase64 } from '../../../primitives/base64.ts'
import { CodedError } from '../../../primitives/errors.ts'
import { fromHex } from '../../../primitives/hex.ts'
import { optional, param, shownAs } from '../../core/params.ts'
import type { AnswerBudget } from '../AnswerBudget.ts'
import { RefusedRequestError } from '../errors.ts'
import { readTimeoutMs } from '../V3Context.ts'
import { v3Endpoint } from '../v3Endpoint.ts'
import { DecodedView } from '../views/messages.ts'

const MAX_ITEMS = 1000

const listOfTexts = (name: string, description: string) =>
  optional(
    shownAs(
      param(Type.Array(Type.String()), (texts): readonly string[] => {
        if (texts.length > MAX_ITEMS) {
          throw new RefusedRequestError(`${name} list exceeds maximum length of ${MAX_ITEMS}`)
        }
        return texts
      }),
      Type.Array(Type.String(), { description, maxItems: MAX_ITEMS }),
    ),
  )

/** Hexadecimal, or a 32-bit decimal number, signed or unsigned. */
const readOpcode = (text: string, index: number): number => {
  const [, digits] = /^(?:0[xX])?([0-9a-fA-F]{1,8})$/.exec(text) ?? []
  if (digits !== undefined) return Number.parseInt(digits, 16)
  const value = /^-?[0-9]{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (value >= -0x8000_0000 && value <= 0xffff_ffff) return value >>> 0
  throw new RefusedRequestError(`invalid opcode format at index ${index}: ${text.slice(0, 100)}`)
}

/** Base64 bags of cells begin with fixed letters; everything else is hexadecimal. */
const decodeText = (budget: AnswerBudget, text: string): DecodedObject => {
  if (budget.isDecodingSpent) return TRUNCATED
  try {
    const body = decodeSingleBoc(text.startsWith('te6') ? fromBase64(text) : fromHex(text))
    return budget.decode(body) ?? { error: explainUndecoded(body) }
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    return { error: `unknown: ${error.message}` }
  }
}

export const decode = v3Endpoint({
  name: 'decode',
  methods: ['GET', 'POST'],
  tags: ['utils'],
  summary: 'Decode opcodes and message bodies.',
  params: {
    opcodes: listOfTexts('opcodes', 'Opcodes, hexadecimal or decimal.'),
    bodies: listOfTexts('bodies', 'Bags of cells, base64 or hexadecimal.'),
  },
  result: Type.Object(
    { opcodes: Type.Array(Type.String()), bodies: Type.Array(DecodedView) },
    { $id: 'DecodeResponse' },
  ),
  errors: [],
  // It reads nothing from the database: all of its time goes into decoding.
  callerTimeout: { param: 'x_timeout', readMs: readTimeoutMs },
  async handle({ budget }, { opcodes = [], bodies = [] }) {
    const numbers = opcodes.map(readOpcode)
    return {
      opcodes: numbers.map((opcode) => budget.nameOf(opcode) ?? 'unknown'),
      bodies: await budget.writeRows(bodies, (text) => decodeText(budget, text)),
    }
  },
})
