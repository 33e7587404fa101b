import type { Cell } from '../../codec/cell/Cell.ts'
import { CellWriter } from '../../codec/cell/CellWriter.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import { encodeUtf8, writeComment } from '../../codec/content/text.ts'
import { hashName, writeTokenContent } from '../../codec/content/tokenContent.ts'

/** A body that says something to people. */
export const commentBody = (text: string): Cell => writeWhole(writeComment, { kind: 'text', bytes: encodeUtf8(text) })

/** Starts a body: what is wanted, and a number that answers repeat. */
export const startBody = (op: number, queryId: bigint): CellWriter =>
  new CellWriter().writeUint(op, 32).writeUint64(queryId)

/** `Either X ^X` in a reference; nothing at all is written as an empty X. */
export const writePayload = (w: CellWriter, payload: Cell | undefined): CellWriter =>
  payload === undefined ? w.writeBit(false) : w.writeBit(true).writeRef(payload)

/** Token content that stands on the chain (TEP-64). */
export const onChainContent = (attributes: Readonly<Record<string, string>>): Cell =>
  writeWhole(writeTokenContent, {
    kind: 'onChain',
    attributes: Object.entries(attributes).map(([name, text]) => ({
      key: hashName(name),
      name,
      value: { kind: 'snake' as const, bytes: encodeUtf8(text) },
    })),
  })

/** Token content that stands elsewhere. */
export const offChainContent = (uri: string): Cell =>
  writeWhole(writeTokenContent, { kind: 'offChain', uri: encodeUtf8(uri) })
