import type { Cell } from '../../codec/cell/Cell.ts'
import { CellWriter } from '../../codec/cell/CellWriter.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import { encodeUtf8, writeSnake } from '../../codec/content/text.ts'
import type { StateInit } from '../../codec/tlb/StateInit.ts'
import type { Address } from '../../primitives/Address.ts'
import { compiledCode, contractAddress, contractInit } from './contractInit.ts'
import { startBody, writeAddress, writePayload } from './messages.ts'

const DEPLOY_ITEM = 1
const TRANSFER = 0x5fcc3d14
const GET_STATIC_DATA = 0x2fcb26a2
const GET_ROYALTY = 0x693d3950

export type NftCollectionOptions = {
  readonly owner: Address
  readonly content: Cell
  /** What the addresses of the contents of all items begin with; nothing where the items have whole contents. */
  readonly itemPrefix?: string
  /** Hundredths of a sale that go to the owner. */
  readonly royaltyPercent: number
}

const textCell = (text: string): Cell => writeWhole(writeSnake, encodeUtf8(text))

export const nftCollectionInit = (options: NftCollectionOptions): StateInit => {
  const { owner, content, itemPrefix = '', royaltyPercent } = options
  const contents = new CellWriter().writeRef(content).writeRef(textCell(itemPrefix)).toCell()
  const royalty = writeAddress(new CellWriter().writeUint(royaltyPercent, 16).writeUint(100, 16), owner).toCell()
  const data = writeAddress(new CellWriter(), owner)
    .writeUint64(0n)
    .writeRef(contents)
    .writeRef(compiledCode('nftItem'))
    .writeRef(royalty)
  return contractInit(compiledCode('nftCollection'), data.toCell())
}

export const nftItemAddress = (collection: Address, index: bigint): Address =>
  contractAddress(
    contractInit(compiledCode('nftItem'), writeAddress(new CellWriter().writeUint64(index), collection).toCell()),
  )

/** Makes an item. Its content is whole, or what the address of the content ends with. */
export const nftDeployBody = (
  queryId: bigint,
  index: bigint,
  value: bigint,
  owner: Address,
  content: Cell | string,
): Cell => {
  const contentCell = typeof content === 'string' ? textCell(content) : content
  const ownership = writeAddress(new CellWriter(), owner).writeRef(contentCell).toCell()
  return startBody(DEPLOY_ITEM, queryId).writeUint64(index).writeCoins(value).writeRef(ownership).toCell()
}

export type NftTransfer = {
  readonly queryId: bigint
  readonly newOwner: Address
  readonly responseDestination: Address | undefined
  /** Sent on to the new owner with the payload, where it is not 0. */
  readonly forwardAmount: bigint
  readonly forwardPayload: Cell | undefined
}

export const nftTransferBody = (transfer: NftTransfer): Cell => {
  const w = writeAddress(startBody(TRANSFER, transfer.queryId), transfer.newOwner)
  writeAddress(w, transfer.responseDestination).writeBit(false).writeCoins(transfer.forwardAmount)
  return writePayload(w, transfer.forwardPayload).toCell()
}

export const nftStaticDataBody = (queryId: bigint): Cell => startBody(GET_STATIC_DATA, queryId).toCell()

export const nftRoyaltyBody = (queryId: bigint): Cell => startBody(GET_ROYALTY, queryId).toCell()
