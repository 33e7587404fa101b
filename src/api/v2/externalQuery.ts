import type { Cell } from '../../codec/cell/Cell.ts'
import { CHECKED_BOC, encodeBoc } from '../../codec/cell/encodeBoc.ts'
import type { StateInit } from '../../codec/tlb/StateInit.ts'
import type { Address } from '../../primitives/Address.ts'
import { optional, whenMissing } from '../core/Param.ts'
import { decodeBag } from './decodeBag.ts'
import { packExternalMessage } from './fees/externalMessage.ts'
import { NodeClientError } from './NodeClientError.ts'
import { AddressParam, boolParam, bytesParam } from './params.ts'
import { unreadable } from './RefusedRequestError.ts'
import { cellObjectParam, readCellObject } from './readCellObject.ts'
import { sendMessage } from './sendMessage.ts'
import type { V2Context } from './V2Context.ts'
import type { CellObject } from './views/CellObjectView.ts'

/** An external message in parts: its body, and the code and data of a contract that is not deployed yet. */
export type QueryParts = { readonly body: Cell; readonly init: StateInit | undefined }

/** The receiver, and the parts as bags of cells. */
export const bagQueryParams = {
  address: AddressParam,
  body: whenMissing(bytesParam('body', 'The body as a bag of cells.'), unreadable('empty body')),
  init_code: optional(bytesParam('init_code', 'The code of a contract that is not there yet, as a bag of cells.')),
  init_data: optional(bytesParam('init_data', 'Its data.')),
}

/** The same with the parts as objects. */
export const objectQueryParams = {
  address: AddressParam,
  body: whenMissing(cellObjectParam('The body as an object.'), unreadable('empty body')),
  init_code: optional(cellObjectParam('The code of a contract that is not there yet, as an object.')),
  init_data: optional(cellObjectParam('Its data.')),
}

export const IgnoreSignaturesParam = optional(
  boolParam('ignore_chksig', 'False checks signatures; by default all are right.'),
)

type Parts<Part> = { readonly body: Part; readonly init_code: Part | undefined; readonly init_data: Part | undefined }

/** What is empty counts as left out. Data without code is not looked at. */
export const decodeBagQuery = ({ body, init_code, init_data }: Parts<Uint8Array>): QueryParts => {
  const decode = (name: string, bytes: Uint8Array | undefined): Cell | undefined =>
    bytes === undefined || bytes.length === 0 ? undefined : decodeMember(name, bytes)
  const root = decodeMember('body', body)
  const code = decode('init_code', init_code)
  return { body: root, init: code && toInit(code, decode('init_data', init_data)) }
}

export const readObjectQuery = ({ body, init_code, init_data }: Parts<CellObject>): QueryParts => {
  const root = readCellObject(body)
  const [code, data] = [init_code, init_data].map((part) => (part === undefined ? undefined : readCellObject(part)))
  return { body: root, init: code && toInit(code, data) }
}

/** Packs the parts into a message and hands it to the nodes. */
export const sendQueryParts = async (
  context: V2Context,
  address: Address,
  { init, body }: QueryParts,
): Promise<{ readonly '@type': 'ok' }> => {
  await sendMessage(context, encodeBoc([packExternalMessage(address, init, body)], CHECKED_BOC))
  return { '@type': 'ok' }
}

/** Nodes take no message that is deeper, and it has to have room within others. */
const maxDepth = 512

const decodeMember = (name: string, bytes: Uint8Array): Cell => {
  const refuse = (fault: string): NodeClientError => new NodeClientError(`INVALID_BAG_OF_CELLS: ${name}${fault}`)
  const cell = decodeBag(bytes, refuse)
  if (cell.depth() > maxDepth) throw refuse(`cells are nested deeper than ${maxDepth} levels`)
  return cell
}

/** Without code there is no contract, whatever the data. */
const toInit = (code: Cell, data: Cell | undefined): StateInit => ({
  fixedPrefixLength: undefined,
  special: undefined,
  code,
  data,
  library: undefined,
})
