import type { Cell } from '../../../codec/cell/Cell.ts'
import type { StateInit } from '../../../codec/tlb/StateInit.ts'
import { optional, whenMissing } from '../../core/Param.ts'
import { decodeBag } from '../decodeBag.ts'
import { estimateFees } from '../fees/estimateFees.ts'
import { NodeClientError } from '../NodeClientError.ts'
import { AddressParam, boolParam, bytesParam } from '../params.ts'
import { unreadable } from '../RefusedRequestError.ts'
import { readAccount } from '../readAccount.ts'
import { v2Endpoint } from '../v2Endpoint.ts'
import { FeesView, toFeesView } from '../views/FeesView.ts'

export const estimateFee = v2Endpoint({
  name: 'estimateFee',
  methods: ['POST'],
  tags: ['messages'],
  summary:
    'What an external message would cost its receiver, found by running it. A message that is refused costs nothing.',
  params: {
    address: AddressParam,
    body: whenMissing(bytesParam('body', 'The body as a bag of cells.'), unreadable('empty body')),
    init_code: optional(bytesParam('init_code', 'The code of a contract that is not there yet, as a bag of cells.')),
    init_data: optional(bytesParam('init_data', 'Its data.')),
    ignore_chksig: optional(boolParam('ignore_chksig', 'False checks signatures; by default all are right.')),
  },
  result: FeesView,
  errors: [],
  async handle(context, { address, body, init_code, init_data, ignore_chksig }) {
    const question = {
      address,
      body: decodeMember('body', body),
      init: toInit(init_code, init_data),
      ignoreSignatures: ignore_chksig ?? true,
    }
    return toFeesView(await estimateFees(context, await readAccount(context.node, address, undefined), question))
  },
})

/** Nodes take no message that is deeper, and it has to have room within others. */
const maxDepth = 512

const decodeMember = (name: string, bytes: Uint8Array): Cell => {
  const refuse = (fault: string): NodeClientError => new NodeClientError(`INVALID_BAG_OF_CELLS: ${name}${fault}`)
  const cell = decodeBag(bytes, refuse)
  if (cell.depth() > maxDepth) throw refuse(`cells are nested deeper than ${maxDepth} levels`)
  return cell
}

/** Without code there is no contract, whatever the data. */
const toInit = (code: Uint8Array | undefined, data: Uint8Array | undefined): StateInit | undefined => {
  if (code === undefined || code.length === 0) return undefined
  return {
    fixedPrefixLength: undefined,
    special: undefined,
    code: decodeMember('init_code', code),
    data: data === undefined || data.length === 0 ? undefined : decodeMember('init_data', data),
    library: undefined,
  }
}
