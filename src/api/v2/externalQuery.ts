import { Type } from 'typebox'
import { type Cell, wholeSlice } from '../../codec/cell/Cell.ts'
import { buildCell } from '../../codec/cell/CellWriter.ts'
import { CHECKED_BOC, encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { MAX_BITS } from '../../codec/cell/exotic.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import { type Message, writeMessage } from '../../codec/tlb/Message.ts'
import type { StateInit } from '../../codec/tlb/StateInit.ts'
import type { Address } from '../../primitives/Address.ts'
import { CodedError } from '../../primitives/errors.ts'
import { findMember, isJsonObject, type JsonValue } from '../core/json/parseJson.ts'
import { optional, param, shownAs, whenMissing } from '../core/params.ts'
import { CellObjectError, NodeClientError, unreadable } from './errors.ts'
import { AddressParam, boolParam, bytesParam, decodeBag, decodeBase64 } from './params.ts'
import { sendMessage } from './sendMessage.ts'
import type { V2Context } from './v2Endpoint.ts'
import { type CellObject, CellObjectView } from './views/stacks.ts'

const MAX_REFS = 4

/** The message that a client would send: the body is inlined if it fits into the root cell. */
export const packExternalMessage = ({ workchain, hash }: Address, init: StateInit | undefined, body: Cell): Cell => {
  const head: Omit<Message, 'body'> = {
    info: {
      kind: 'externalIn',
      source: { kind: 'none' },
      destination: { kind: 'std', workchain, hash, anycast: undefined },
      importFee: 0n,
    },
    init: init && { inRef: false, value: init },
  }
  const packed = writeWhole(writeMessage, { ...head, body })
  // The body is now the last reference of the root.
  const hasRoom = packed.bits + body.bits <= MAX_BITS && packed.refCount - 1 + body.refCount <= MAX_REFS
  return hasRoom && !body.isExotic ? writeWhole(writeMessage, { ...head, body: wholeSlice(body) }) : packed
}

/** A cell as a JSON object. Parsed by the handler, because a malformed one has its own status. */
const cellObjectParam = (description: string) =>
  shownAs(
    param(Type.Unsafe<CellObject>(Type.Unknown())),
    Type.Intersect([CellObjectView], {
      description,
      examples: [{ data: { b64: 'AAAAAGhlbGxv', len: 72 }, refs: [], special: false }],
    }),
  )

/** Limits of nodes for a message: cells and depth. */
const MAX_CELLS = 8192
const MAX_LEVELS = 512
/** Length of the largest cell in base64. */
const MAX_TEXT = 4 * Math.ceil(((MAX_BITS + 7) >> 3) / 3)

/** Parses a cell tree from `{"data": {"b64", "len"}, "refs", "special"}`. All members are required. */
const readCellObject = (object: unknown): Cell => {
  let count = 0
  const read = (value: JsonValue | undefined, level: number): Cell => {
    if (level > MAX_LEVELS || ++count > MAX_CELLS || !isJsonObject(value)) throw new CellObjectError()
    const [refs, special] = [findMember(value, 'refs'), findMember(value, 'special')]
    if (!Array.isArray(refs) || refs.length > MAX_REFS || typeof special !== 'boolean') throw new CellObjectError()
    const { bytes, bits } = readData(findMember(value, 'data'))
    const children = refs.map((ref: JsonValue) => read(ref, level + 1))
    try {
      return buildCell(bytes, bits, children, special ? 8 : 0)
    } catch (error) {
      if (!(error instanceof CodedError)) throw error
      throw new CellObjectError(error)
    }
  }
  return read(object as JsonValue | undefined, 0)
}

/** The first `len` bits of the bytes; the rest is ignored. */
const readData = (data: JsonValue | undefined) => {
  if (!isJsonObject(data)) throw new CellObjectError()
  const [b64, len] = [findMember(data, 'b64'), findMember(data, 'len')]
  const isLength = typeof len === 'number' && Number.isInteger(len) && len >= 0 && len <= MAX_BITS
  if (!isLength || typeof b64 !== 'string' || b64.length > MAX_TEXT) throw new CellObjectError()
  const bytes = decodeBase64(b64, () => new CellObjectError())
  if (8 * bytes.length < len) throw new CellObjectError()
  return { bytes, bits: len }
}

/** The parts of an external message: its body, and code and data of a contract to deploy. */
export type QueryParts = { readonly body: Cell; readonly init: StateInit | undefined }

/** The destination, and the parts as bags of cells. */
export const bagQueryParams = {
  address: AddressParam,
  body: whenMissing(bytesParam('body', 'Message body as a bag of cells.'), unreadable('empty body')),
  init_code: optional(bytesParam('init_code', 'Code of a contract to deploy, as a bag of cells.')),
  init_data: optional(bytesParam('init_data', 'Data of a contract to deploy.')),
}

/** The same, with the parts as JSON objects. */
export const objectQueryParams = {
  address: AddressParam,
  body: whenMissing(cellObjectParam('Message body as an object.'), unreadable('empty body')),
  init_code: optional(cellObjectParam('Code of a contract to deploy, as an object.')),
  init_data: optional(cellObjectParam('Data of a contract to deploy.')),
}

export const IgnoreSignaturesParam = optional(
  boolParam('ignore_chksig', 'False: check signatures. Default: treat all signatures as valid.'),
)

type Parts<Part> = { readonly body: Part; readonly init_code: Part | undefined; readonly init_data: Part | undefined }

/** Empty parts count as absent. Data without code is ignored. */
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

/** Packs the parts into a message and sends it to the nodes. */
export const sendQueryParts = async (
  context: V2Context,
  address: Address,
  { init, body }: QueryParts,
): Promise<{ readonly '@type': 'ok' }> => {
  await sendMessage(context, encodeBoc([packExternalMessage(address, init, body)], CHECKED_BOC))
  return { '@type': 'ok' }
}

/** Depth limit of nodes for messages. */
const maxDepth = 512

const decodeMember = (name: string, bytes: Uint8Array): Cell => {
  const refuse = (fault: string): NodeClientError => new NodeClientError(`INVALID_BAG_OF_CELLS: ${name}${fault}`)
  const cell = decodeBag(bytes, refuse)
  if (cell.depth() > maxDepth) throw refuse(`cells are nested deeper than ${maxDepth} levels`)
  return cell
}

/** StateInit of a contract to deploy. */
const toInit = (code: Cell, data: Cell | undefined): StateInit => ({
  fixedPrefixLength: undefined,
  special: undefined,
  code,
  data,
  library: undefined,
})
