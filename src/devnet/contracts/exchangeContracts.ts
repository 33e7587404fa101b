import type { Cell } from '../../codec/cell/Cell.ts'
import { CellWriter } from '../../codec/cell/CellWriter.ts'
import type { StateInit } from '../../codec/tlb/StateInit.ts'
import type { Address } from '../../primitives/Address.ts'
import { compareBytes } from '../../primitives/bytes.ts'
import { compiledCode, contractAddress, contractInit } from './contractInit.ts'
import { writeAddress } from './messages.ts'

const SWAP = 0x6664de2a
const PROVIDE = 0x37c096df

/** The router of an exchange; the content is that of the jettons that stand for shares of its pools. */
export const dexRouterInit = (content: Cell): StateInit => {
  const w = new CellWriter().writeRef(compiledCode('dexPool')).writeRef(compiledCode('jettonWallet'))
  return contractInit(compiledCode('dexRouter'), w.writeRef(compiledCode('dexAccount')).writeRef(content).toCell())
}

/** The pool of two jettons, which are known by the wallets that the router has for them. */
export const dexPoolAddress = (router: Address, content: Cell, wallets: readonly [Address, Address]): Address => {
  const [wallet0, wallet1] = wallets.toSorted((a, b) => compareBytes(a.hash, b.hash))
  const places = writeAddress(writeAddress(writeAddress(new CellWriter(), router), wallet0), wallet1).toCell()
  const w = new CellWriter().writeCoins(0n).writeCoins(0n).writeCoins(0n).writeRef(places).writeRef(content)
  w.writeRef(compiledCode('jettonWallet')).writeRef(compiledCode('dexAccount'))
  return contractAddress(contractInit(compiledCode('dexPool'), w.toCell()))
}

type DexRequest = {
  /** The router's wallet of the other jetton. */
  readonly otherWallet: Address
  /** Gets everything that comes back. */
  readonly user: Address
  /** In seconds. */
  readonly deadline: number
}

const startRequest = (op: number, { otherWallet, user, deadline }: DexRequest): CellWriter => {
  const w = writeAddress(new CellWriter().writeUint(op, 32), otherWallet)
  return writeAddress(writeAddress(w, user), user).writeUint64(BigInt(deadline))
}

/** What goes to the router with jettons that are to be swapped. Less than `minOut` is refused. */
export const swapPayload = (request: DexRequest & { readonly minOut: bigint }): Cell => {
  const terms = writeAddress(new CellWriter().writeCoins(request.minOut), request.user).writeCoins(0n).writeBit(false)
  writeAddress(terms.writeCoins(0n).writeBit(false).writeUint(0, 16), undefined)
  return startRequest(SWAP, request).writeRef(terms.toCell()).toCell()
}

/** What goes to the router with jettons that are given to a pool. Shares come after something of both has come. */
export const providePayload = (request: DexRequest): Cell => {
  const terms = writeAddress(new CellWriter().writeCoins(0n), request.user).writeBit(true).writeCoins(0n)
  return startRequest(PROVIDE, request).writeRef(terms.writeBit(false).toCell()).toCell()
}
