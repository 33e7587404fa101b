import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Cell } from '../../codec/cell/Cell.ts'
import { CellWriter } from '../../codec/cell/CellWriter.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { BocError } from '../../codec/cell/errors.ts'
import type { StateInit } from '../../codec/tlb/StateInit.ts'
import type { Address } from '../../primitives/Address.ts'
import { CodedError } from '../../primitives/errors.ts'
import { fromHex } from '../../primitives/hex.ts'
import { contractAddress, contractInit } from '../contracts/contractInit.ts'

/** The code of a well-known wallet is not in the package that should carry it. */
export class WalletCodeError extends CodedError {
  readonly code = 'wallet_code_missing'
}

/** A wallet was asked for something that wallets of its kind cannot do. */
export class WalletOrderError extends CodedError {
  readonly code = 'wallet_order_invalid'
}

/** A bag of cells in base64 or hexadecimal digits, between quotes. */
const QUOTED_BOC = /["'`](?:(?<base64>te6cc[\w+/=-]+)|(?<hex>b5ee9c72[0-9a-f]+))["'`]/gi

/**
 * Finds a code by its hash in a file of a package. The file is read and not run: running it would load the rest of the package
 * and take a hundred times as long, and the hash leaves no doubt that this is the code which is meant.
 */
export const readPackagedCode = (fileUrl: string, hash: Uint8Array): Cell => {
  for (const boc of findBocs(fileUrl)) {
    const code = tryDecode(boc)
    if (code?.hasHash(hash)) return code
  }
  throw new WalletCodeError(`The wallet code ${fileUrl} is missing. Install the package again.`)
}

const findBocs = (fileUrl: string): Uint8Array[] => {
  try {
    const text = readFileSync(fileURLToPath(fileUrl), 'latin1')
    return [...text.matchAll(QUOTED_BOC)].map(({ groups }) => {
      const { base64, hex } = groups as { base64?: string; hex?: string }
      return base64 === undefined ? Buffer.from(hex!, 'hex') : Buffer.from(base64, 'base64')
    })
  } catch (cause) {
    throw new WalletCodeError(`The file ${fileUrl} with the code of a wallet cannot be read.`, { cause })
  }
}

const tryDecode = (boc: Uint8Array): Cell | undefined => {
  try {
    return decodeSingleBoc(boc)
  } catch (error) {
    if (error instanceof BocError) return undefined
    throw error
  }
}

export const walletKinds = ['v3r2', 'v4r2', 'v5r1', 'highload-v3'] as const
export type WalletKind = (typeof walletKinds)[number]

/** Seconds for which a highload wallet remembers its orders: what makers of such wallets take unless told otherwise. */
export const HIGHLOAD_TIMEOUT = 86_400

type WalletType = {
  /** Well known: services tell wallets by it. */
  readonly codeHash: string
  fileUrl(): string
  walletId(networkGlobalId: number): number
  data(publicKey: Uint8Array, walletId: number): Cell
}

/** The id that has been the default since the first wallets with one. */
const CLASSIC_WALLET_ID = 698983191
const HIGHLOAD_WALLET_ID = 0x10ad

const walletTypes: Record<WalletKind, WalletType> = {
  v3r2: {
    codeHash: '84dafa449f98a6987789ba232358072bc0f76dc4524002a5d0918b9a75d2d599',
    fileUrl: () => import.meta.resolve('@ton/ton/dist/wallets/v3/r2.js'),
    walletId: () => CLASSIC_WALLET_ID,
    data: (publicKey, id) => new CellWriter().writeUint(0, 32).writeInt(id, 32).writeBytes(publicKey).toCell(),
  },
  v4r2: {
    codeHash: 'feb5ff6820e2ff0d9483e7e0d62c817d846789fb4ae580c878866d959dabd5c0',
    fileUrl: () => import.meta.resolve('@ton/ton/dist/wallets/v4/WalletContractV4.js'),
    walletId: () => CLASSIC_WALLET_ID,
    data: (publicKey, id) =>
      new CellWriter().writeUint(0, 32).writeInt(id, 32).writeBytes(publicKey).writeBit(false).toCell(),
  },
  v5r1: {
    codeHash: '20834b7b72b112147e1b2fb457b84e74d1a30f04f737d4f62a668e9552d2b72f',
    fileUrl: () => import.meta.resolve('@ton/ton/dist/wallets/v5r1/WalletContractV5R1.js'),
    // The first bit says that a client chose the rest: basechain, version 0, subwallet 0. The network is mixed in.
    walletId: (networkGlobalId) => networkGlobalId ^ 0x80000000,
    data: (publicKey, id) =>
      new CellWriter().writeBit(true).writeUint(0, 32).writeInt(id, 32).writeBytes(publicKey).writeBit(false).toCell(),
  },
  'highload-v3': {
    codeHash: '11acad7955844090f283bf238bc1449871f783e7cc0979408d3f4859483e8525',
    fileUrl: () => import.meta.resolve('@tonkite/highload-wallet-v3/dist/highload-wallet-v3-code.js'),
    walletId: () => HIGHLOAD_WALLET_ID,
    data: (publicKey, id) =>
      new CellWriter()
        .writeBytes(publicKey)
        .writeInt(id, 32)
        .writeBit(false)
        .writeBit(false)
        .writeUint64(0n)
        .writeUint(HIGHLOAD_TIMEOUT, 22)
        .toCell(),
  },
}

const codes = new Map<WalletKind, Cell>()

/** The well-known code of a kind of wallet, from the package that carries it. */
export const walletCode = (kind: WalletKind): Cell => {
  const known = codes.get(kind)
  if (known !== undefined) return known
  const { codeHash, fileUrl } = walletTypes[kind]
  const code = readPackagedCode(fileUrl(), fromHex(codeHash))
  codes.set(kind, code)
  return code
}

const walletIdOf = (kind: WalletKind, networkGlobalId: number): number => walletTypes[kind].walletId(networkGlobalId)

/** The data that a new wallet starts with. */
const walletData = (kind: WalletKind, publicKey: Uint8Array, walletId: number): Cell =>
  walletTypes[kind].data(publicKey, walletId)

export type Wallet = {
  readonly kind: WalletKind
  readonly walletId: number
  readonly address: Address
  readonly init: StateInit
}

/** The basechain wallet of a key, as common libraries make it by default on a network with this id. */
export const createWallet = (kind: WalletKind, publicKey: Uint8Array, networkGlobalId: number): Wallet => {
  const walletId = walletIdOf(kind, networkGlobalId)
  const init = contractInit(walletCode(kind), walletData(kind, publicKey, walletId))
  return { kind, walletId, address: contractAddress(init), init }
}
