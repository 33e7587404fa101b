import type { Cell } from '../codec/cell/Cell.ts'
import { type CellReader, openCell } from '../codec/cell/CellReader.ts'
import { CellWriter } from '../codec/cell/CellWriter.ts'
import { type DictType, readDict } from '../codec/cell/Dict.ts'
import { int32Key } from '../codec/cell/dictTypes.ts'
import { CellError } from '../codec/cell/errors.ts'
import { toBase64 } from '../primitives/base64.ts'

/** The layout of a wallet's data, read by `findWalletFacts`. `none` is for contracts without wallet data. */
type WalletLayout = 'seqnoKey' | 'seqnoIdKey' | 'idTimeKey' | 'v5' | 'v5Beta' | 'keyId' | 'keySeqno16' | 'none'

/** The type that `getExtendedAddressInformation` states for contracts that the node's client library knows. */
export type AccountStateName = {
  readonly type:
    | 'wallet.v3.accountState'
    | 'wallet.v4.accountState'
    | 'wallet.highload.v1.accountState'
    | 'wallet.highload.v2.accountState'
    | 'dns.accountState'
    | 'rwallet.accountState'
    | 'pchan.accountState'
  readonly revision: number
}

/** Code that is known by its hash. Each name is what one interface calls it, absent where that interface does not know it. */
export type WalletKind = {
  /** Hash of the code cell, in base64. */
  readonly codeHash: string
  readonly layout: WalletLayout
  /** The name of an ordinary wallet of one person: these count as wallets, and their addresses are shown non-bounceable. */
  readonly walletType?: string
  /** The name in the list of interfaces of the indexed API. */
  readonly interfaceName?: string
  readonly accountState?: AccountStateName
}

/** Facts from the data of a wallet. A member is absent where the wallet has no such field. */
export type WalletFacts = {
  readonly seqno?: number
  /** Signed; interfaces that show it unsigned take `walletId >>> 0`. */
  readonly walletId?: number
  /** Whether the owner's key may sign, or extensions alone act. */
  readonly signatureAllowed?: boolean
  readonly publicKey?: Uint8Array
}

const readKey = (r: CellReader): Uint8Array => r.readBytes(32).slice()

const layouts: Record<WalletLayout, (r: CellReader) => WalletFacts> = {
  seqnoKey: (r) => ({ seqno: r.readUint(32), publicKey: readKey(r) }),
  seqnoIdKey: (r) => ({ seqno: r.readUint(32), walletId: r.readInt(32), publicKey: readKey(r) }),
  // The time up to which old queries were cleaned away stands between the two.
  idTimeKey: (r) => {
    const walletId = r.readInt(32)
    r.skipBits(64)
    return { walletId, publicKey: readKey(r) }
  },
  v5: (r) => ({
    signatureAllowed: r.readBit(),
    seqno: r.readUint(32),
    walletId: r.readInt(32),
    publicKey: readKey(r),
  }),
  // Its id has 80 bits: network, workchain, version and number. No 32 of them are an id.
  v5Beta: (r) => {
    const seqno = r.readUint(33)
    r.skipBits(80)
    return { seqno, publicKey: readKey(r) }
  },
  keyId: (r) => ({ publicKey: readKey(r), walletId: r.readInt(32) }),
  keySeqno16: (r) => ({ publicKey: readKey(r), seqno: r.readUint(16) }),
  none: () => ({}),
}

/** Facts from the data of a wallet of this kind, or `undefined` where the data has another layout. */
export const findWalletFacts = ({ layout }: WalletKind, data: Cell): WalletFacts | undefined => {
  try {
    return layouts[layout](openCell(data))
  } catch (error) {
    if (error instanceof CellError) return undefined
    throw error
  }
}

/** The fields that wallet data begins with, in their order: name and bits. */
const fields: Record<WalletLayout, readonly (readonly [name: string, bits: number])[]> = {
  seqnoKey: [
    ['seqno', 32],
    ['public_key', 256],
  ],
  seqnoIdKey: [
    ['seqno', 32],
    ['wallet_id', 32],
    ['public_key', 256],
  ],
  idTimeKey: [
    ['wallet_id', 32],
    ['last_cleaned', 64],
    ['public_key', 256],
  ],
  v5: [
    ['is_signature_allowed', 1],
    ['seqno', 32],
    ['wallet_id', 32],
    ['public_key', 256],
  ],
  v5Beta: [
    ['seqno', 33],
    ['wallet_id', 80],
    ['public_key', 256],
  ],
  keyId: [
    ['public_key', 256],
    ['wallet_id', 32],
  ],
  keySeqno16: [
    ['public_key', 256],
    ['seqno', 16],
  ],
  none: [],
}

/** Wallet data with other values in some fields; `undefined` where the wallet has no such field, or its data another layout. */
export const patchWalletData = (
  { layout }: WalletKind,
  data: Cell,
  values: ReadonlyMap<string, bigint>,
): Cell | undefined => {
  const names = new Set(fields[layout].map(([name]) => name))
  if ([...values.keys()].some((name) => !names.has(name))) return undefined
  try {
    const r = openCell(data)
    const w = new CellWriter()
    for (const [name, bits] of fields[layout]) {
      const old = r.readUintWide(bits)
      w.writeUintWide(BigInt.asUintN(bits, values.get(name) ?? old), bits)
    }
    return w.writeSlice(r.readRest()).toCell()
  } catch (error) {
    if (error instanceof CellError) return undefined
    throw error
  }
}

// A table of constants: the codes of wallets and of the contracts that the node's client library knows.

const plainWallets: readonly WalletKind[] = [
  {
    codeHash: 'oM/CxIruFqJx8s/AtzgtgXVs7LEBfQd/qqs7tgL2how=',
    layout: 'seqnoKey',
    walletType: 'wallet v1 r1',
    interfaceName: 'wallet_v1r1',
  },
  {
    codeHash: '1JAvzJ+tdGmPqONTIgpo2g3PcuMryy657gQhfBfTBiw=',
    layout: 'seqnoKey',
    walletType: 'wallet v1 r2',
    interfaceName: 'wallet_v1r2',
  },
  {
    codeHash: 'WHzHie/xyE9G7DeX5F/ICaFP9a4k8eDHpqmcydyQYf8=',
    layout: 'seqnoKey',
    walletType: 'wallet v1 r3',
    interfaceName: 'wallet_v1r3',
  },
  {
    codeHash: 'XJpeaMEI4YchoHxC+ZVr+zmtd+xtYktgxXbsiO7mUyk=',
    layout: 'seqnoKey',
    walletType: 'wallet v2 r1',
    interfaceName: 'wallet_v2r1',
  },
  {
    codeHash: '/pUw0yQ4Uwg+8u8LTCkIwKv2+hwx6iQ6rKpb+MfXU/E=',
    layout: 'seqnoKey',
    walletType: 'wallet v2 r2',
    interfaceName: 'wallet_v2r2',
  },
  {
    codeHash: 'thBBpYp5gLlG6PueGY48kE0keZ/6NldOpCUcQaVm9YE=',
    layout: 'seqnoIdKey',
    walletType: 'wallet v3 r1',
    interfaceName: 'wallet_v3r1',
    accountState: { type: 'wallet.v3.accountState', revision: 1 },
  },
  {
    codeHash: 'hNr6RJ+Ypph3ibojI1gHK8D3bcRSQAKl0JGLmnXS1Zk=',
    layout: 'seqnoIdKey',
    walletType: 'wallet v3 r2',
    interfaceName: 'wallet_v3r2',
    accountState: { type: 'wallet.v3.accountState', revision: 2 },
  },
  {
    codeHash: 'ZN1UgFUixb6KnbWc6gEFzPDQh4bKeb64y3nogKjXMi0=',
    layout: 'seqnoIdKey',
    walletType: 'wallet v4 r1',
    interfaceName: 'wallet_v4r1',
  },
  {
    codeHash: '/rX/aCDi/w2Ug+fg1iyBfYRniftK5YDIeIZtlZ2r1cA=',
    layout: 'seqnoIdKey',
    walletType: 'wallet v4 r2',
    interfaceName: 'wallet_v4r2',
    accountState: { type: 'wallet.v4.accountState', revision: 2 },
  },
  {
    codeHash: '89fKU0k97trCizgZhqhJQDy6w9LFhHea8IEGWvCsS5M=',
    layout: 'v5Beta',
    walletType: 'wallet v5 beta',
    interfaceName: 'wallet_v5_beta',
  },
  {
    codeHash: 'IINLe3KxEhR+Gy+0V7hOdNGjDwT3N9T2KmaOlVLSty8=',
    layout: 'v5',
    walletType: 'wallet v5 r1',
    interfaceName: 'wallet_v5r1',
  },
]

const otherWallets: readonly WalletKind[] = [
  {
    codeHash: '5M87L0xtamHqDytUR9JmeFsmrzY32y3u5rzRqoJvNBI=',
    layout: 'v5Beta',
    interfaceName: 'wallet_v5_beta',
  },
  {
    codeHash: '2M27t58sXKpnesRQdwvgNRviHhJQSG3oXMUqoz3RZIQ=',
    layout: 'seqnoIdKey',
    interfaceName: 'wallet_highload_v1r1',
    accountState: { type: 'wallet.highload.v1.accountState', revision: 1 },
  },
  {
    codeHash: 'NowDly5fTCRBK4GGUt4d4qJjDRwBFgmZnf90X7NoSa0=',
    layout: 'seqnoIdKey',
    accountState: { type: 'wallet.highload.v1.accountState', revision: 2 },
  },
  {
    codeHash: 'Dc7tISadZgE+lbGfu1xVpvAa2tQIN7qo5SHN46AqpGw=',
    layout: 'seqnoIdKey',
    interfaceName: 'wallet_highload_v1r2',
  },
  {
    codeHash: 'jOtFs81LXMYOquHBO5wJI5Jnf+U2sumy2AG2Lv+TH+E=',
    layout: 'idTimeKey',
    interfaceName: 'wallet_highload_v2r1',
    accountState: { type: 'wallet.highload.v2.accountState', revision: 1 },
  },
  {
    codeHash: 'CzqIeurNKn1Au1VQvJJTFWoCkGWu+21rWDc11Y2p1b4=',
    layout: 'idTimeKey',
    accountState: { type: 'wallet.highload.v2.accountState', revision: 2 },
  },
  {
    codeHash: 'ID3U81ittJmTEpqpJcrDmRa2ig5PeNJujywraer6Vnk=',
    layout: 'idTimeKey',
    interfaceName: 'wallet_highload_v2r2',
  },
  {
    codeHash: 'lJTRzI7fEvBWcaGpugmSEJbrUIEeGSTsZcPGKfu4CBI=',
    layout: 'idTimeKey',
    interfaceName: 'wallet_highload_v2',
  },
  {
    codeHash: 'EayteVWEQJDyg78ji8FEmHH3g+fMCXlAjT9IWUg+hSU=',
    layout: 'keyId',
    interfaceName: 'wallet_highload_v3r1',
  },
  {
    codeHash: 'Reu86bXSNYhstr/hw62TtwjeBYJEiSNlye4N/kOct7U=',
    layout: 'keySeqno16',
    interfaceName: 'wallet_preprocessed_v2',
  },
  {
    codeHash: 'tItTGr7DtxRjgpH3137W3J9qJynvyiBHcTc3TUrotZA=',
    layout: 'seqnoIdKey',
    interfaceName: 'wallet_vesting',
  },
  {
    codeHash: 'jTUEm5Rs8ztYUQu0VgyEGpRfd4HW3p/GnKP0MPbjInM=',
    layout: 'seqnoIdKey',
    accountState: { type: 'rwallet.accountState', revision: 1 },
  },
  {
    codeHash: 'oNZ9LeiRn+e3yndlLM1P3FbGid56aRYeRfsNzF5HwVU=',
    layout: 'idTimeKey',
    accountState: { type: 'dns.accountState', revision: 1 },
  },
  {
    // The reference payment channel has no code of its own: clients compile its source, here with FunC 0.4.6.
    codeHash: 'Da+y0ZPcWqW+4h62BwUQypR10vDW62Ks+b8Ckjznjgs=',
    layout: 'none',
    accountState: { type: 'pchan.accountState', revision: -1 },
  },
]

/** Every code that is known by its hash, each once. */
export const walletKinds: readonly WalletKind[] = [...plainWallets, ...otherWallets]

const byCodeHash = new Map(walletKinds.map((kind) => [kind.codeHash, kind]))

/** The kind of wallet (or of another contract in the table) with this code. */
export const findWalletKind = (codeHash: Uint8Array): WalletKind | undefined => byCodeHash.get(toBase64(codeHash))

const MAX_LIMITS = 1024

/** From so many seconds after the start on, this much has to stay in the wallet. */
export type RestrictionLimit = { readonly seconds: number; readonly value: bigint }

/** The spending limits of a restricted wallet and their start time: 0 where the configuration decides that. */
export type Restrictions = { readonly startAt: number; readonly limits: readonly RestrictionLimit[] }

const limitsType: DictType<number, bigint> = {
  key: int32Key,
  value: { read: (r) => r.readCoins(), write: (w, value) => void w.writeCoins(value) },
}

/**
 * seqno:uint32 wallet_id:uint32 public_key:bits256 start_at:uint32 limits:(HashmapE 32 Grams)
 *
 * A wallet that was not set up yet has no limits, and ends after the key.
 */
export const findRestrictions = (data: Cell): Restrictions | undefined => {
  try {
    const r = openCell(data)
    r.skipBits(320)
    if (r.remainingBits === 0) return { startAt: 0, limits: [] }
    const startAt = r.readUint(32)
    const limits: RestrictionLimit[] = []
    readDict(r, limitsType).forEach((seconds, value) => {
      if (limits.length === MAX_LIMITS) throw new CellError(`A restricted wallet has more than ${MAX_LIMITS} limits.`)
      limits.push({ seconds, value })
    })
    return { startAt, limits }
  } catch (error) {
    if (error instanceof CellError) return undefined
    throw error
  }
}

/**
 * How much of a balance may be spent. `configStart` is what the configuration names as the start (parameter -13) for
 * wallets that have none of their own.
 */
export const unlockedBalance = (
  { startAt, limits }: Restrictions,
  balance: bigint,
  now: number,
  configStart: number | undefined,
): bigint => {
  const start = startAt !== 0 ? startAt : (configStart ?? 0)
  const elapsed = start === 0 ? -1 : now - start
  const limit = limits.filter(({ seconds }) => seconds <= elapsed).sort((a, b) => b.seconds - a.seconds)[0]
  if (limit === undefined) return balance
  return balance > limit.value ? balance - limit.value : 0n
}
