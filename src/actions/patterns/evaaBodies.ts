import type { Cell } from '../../codec/cell/Cell.ts'
import { type CellReader, openCell } from '../../codec/cell/CellReader.ts'
import { type Pattern, type Surroundings, when } from '../match/Matcher.ts'
import type { Block } from '../tree/Block.ts'
import { messageOf, openBody, readAddress, tryRead } from './body.ts'
import { callContract, isCall, tonTransfer } from './core.ts'
import { jettonTransfer } from './jettons.ts'

/** Opcodes of the lending protocol. Calls to a user contract have a header before the opcode. */
export const evaaOps = {
  supply: 0x1,
  supplyUser: 0x11,
  supplied: 0x11a,
  supplyFailed: 0x11f,
  withdraw: 0x2,
  withdrawUser: 0x21,
  withdrawCollateralized: 0x211,
  withdrawn: 0x211a,
  withdrawFailed: 0x211f,
  withdrawNoFunds: 0x211fe8,
  liquidate: 0x3,
  liquidateUser: 0x31,
  liquidateSatisfied: 0x311,
  liquidateUnsatisfied: 0x31f,
  liquidated: 0x311a,
  liquidateReport: 0x311d,
  liquidateFailed: 0x311f,
} as const

/** The header has the expected version of the user contract, and its code for an upgrade. */
const skipUserHeader = (r: CellReader): CellReader => {
  r.readCoins()
  r.readMaybeRefCell()
  r.skipBits(2)
  return r
}

/** The opcode after the header; `undefined` if there is none. */
const findUserOpcode = (body: Cell): number | undefined => tryRead(() => skipUserHeader(openCell(body)).readUint(32))

export const readSupply = (block: Block) => {
  const r = openBody(block)
  r.skipBits(64 + 2)
  return { amount: r.readUint64(), recipient: readAddress(r) }
}

/** The recipient of supplied jettons, from the forward payload. */
export const readSupplyRecipient = (payload: Cell): string | undefined => {
  const r = openCell(payload)
  r.skipBits(32 + 2)
  return readAddress(r)
}

/** The asset in a call to a user contract. */
export const readSuppliedAsset = (block: Block): bigint => {
  const r = skipUserHeader(openCell(messageOf(block).body))
  r.skipBits(32 + 64)
  return r.readUintWide(256)
}

/** The amount that the user contract reports for a supply or a withdrawal. */
export const readMovedAmount = (block: Block): bigint => {
  const r = openBody(block)
  r.skipBits(64)
  readAddress(r)
  r.skipBits(256)
  return r.readUint64()
}

export const readWithdraw = (block: Block) => {
  const r = openBody(block)
  r.skipBits(64)
  return { assetId: r.readUintWide(256), amount: r.readUint64(), recipient: readAddress(r) }
}

export type LiquidateBody = {
  readonly borrower: string | undefined
  readonly collateralId: bigint
  readonly amount: bigint
}

/** A body, or a forward payload. */
export const readLiquidate = (body: Cell): LiquidateBody => {
  const r = openCell(body)
  r.skipBits(32 + 64)
  const borrower = readAddress(r)
  readAddress(r)
  const collateralId = r.readUintWide(256)
  r.skipBits(64 + 2)
  return { borrower, collateralId, amount: r.readUint64() }
}

export type LiquidateSatisfiedBody = LiquidateBody & { readonly reward: bigint }

export const readLiquidateSatisfied = (block: Block): LiquidateSatisfiedBody => {
  const r = openBody(block)
  r.skipBits(64)
  const borrower = readAddress(r)
  readAddress(r)
  r.skipBits(256)
  const inner = r.readRef()
  inner.skipBits(64)
  const amount = inner.readUint64()
  inner.skipBits(64 + 64)
  const collateralId = inner.readUintWide(256)
  inner.skipBits(64)
  return { borrower, collateralId, amount, reward: inner.readUint64() }
}

/** The error code; `undefined` if there is none. */
export const readUnsatisfiedCode = (block: Block): number | undefined => {
  const r = openBody(block)
  r.skipBits(64)
  readAddress(r)
  readAddress(r)
  r.skipBits(256)
  const inner = r.readRef()
  inner.skipBits(64 + 256 + 64 + 64)
  return inner.remainingBits < 32 ? undefined : inner.readUint(32)
}

/** The native coin: sha256 of "TON". */
export const TON_ASSET_ID = 0x1a4219fe5e60d63af2a3cc7dce6fec69b45c6b5718497a6148e7c232ac87bd8an

/** Masters of the jettons that are lent on the main network, by the ids of their assets. */
const jettons: ReadonlyMap<bigint, string> = new Map([
  [
    0xb387968236197958ca4ac55e9b5be38e688c7631af84c86756431f49a878ef33n,
    '0:729C13B6DF2C07CBF0A06AB63D34AF454F3D320EC1BCD8FB5C6D24D0806A17C2',
  ],
  [
    0x83d916c68510802104d1f75aa6ce30eb1e477aede0d380eee2188e0e56581fc6n,
    '0:7E30FC2B7751BA58A3642F3FD59D5E96A810DDD78D8A310BFE8353BEF10500DF',
  ],
  [
    0x495668e908644f30322b997de8faaafc21f05aa52f8982f042dac1fe0b4d09d0n,
    '0:CD872FA7C5816052ACDF5332260443FAEC9AACC8C21CCA4D92E7F47034D11892',
  ],
  [
    0x3313e2f57ba870af34480350c789b0987d15b43a53172bfce294de21e7d724e7n,
    '0:BDF3FA8098D129B54B4F73B5BAC5D1E1FD91EB054169C3916DFC8CCD536D1000',
  ],
  [
    0xca9006bd3fb03d355daeeff93b24be90afaa6e3ca0073ff5720f8a852c933278n,
    '0:B113A994B5024A16719F69139328EB759596C38A25F59028B146FECDC3621DFE',
  ],
  [
    0xe025e6a575f174da6d62577c1fe204ccaa5d1e47c55c6b20c67daee56c357b60n,
    '0:3E5FFCA8DDFCF36C36C9FF46F31562AAB51B9914845AD6C26CBDE649D58A5588',
  ],
  [
    0x9c77a4d798a8f500dcfb877a07227c4ca9d6782504cdc7ce2ad0051e5641c032n,
    '0:8D636010DD90D8C0902AC7F9F397D8BD5E177F131EE2CCA24CE894F15D19CEEA',
  ],
  [
    0x6bfa124cc1343d14ba57ded299f6f514f5f26777099e3c378922ce4081ecbf91n,
    '0:AEA78C710AE94270DC263A870CF47B4360F53CC5ED38E3DB502E9E9AFB904B11',
  ],
  [
    0xe08b1f092e7240fb61bf8249d71aa635102acdd50122138105c35dd2896b5331n,
    '0:FE72F474373E97032441BDB873F9A6D3AD10BAB08E6DBC7BEFA5E42B695F5400',
  ],
  [
    0x70930360b81e5f4ef2e06d2bf64978b44d4b87fb85d78788e001cdf8812d13d1n,
    '0:AFC49CB8786F21C87045B19EDE78FC6B46C51048513F8E9A6D44060199C1BF0C',
  ],
  [
    0x8be3365cabaa6a0f90d2e64f03fa78268c135fe0b0758b576b447e9b2068d75dn,
    '0:2F956143C461769579BAEF2E32CC2D7BC18283F40D20BB03E432CD603AC33FFC',
  ],
  [
    0xb372eaca5210612d285f3fdd30e87a0c3a443f1bb7578e16da72563241997ca1n,
    '0:1F1798F724C2296652E6002BFB51BED11FB5A689532E5788AF7203581EF367A8',
  ],
  [
    0xb8a51f42ccbb912d973e58a22dda26decc7dfc83718c325c24432045ad78dc5an,
    '0:E8CB571401B1AADB9DEFC1FA0F72A4A5A0E0D5016903067891D763C91541E72B',
  ],
  [
    0xc585bac25948a5feea8f2a9e052eb45995882b15dfb784b37cd271cc163f3aean,
    '0:5EE20B5240CC4CE51A4C60BAF8C9D358EF617C26463E89C6571B534972C8EEF1',
  ],
  [
    0xd9496f9b279a4e26c49eb65d5c47c79b6dfdea16c9baefa9158a7dfbbbcac04an,
    '0:086FA2A675F74347B08DD4606A549B8FDB98829CB282BC1949D3B12FBAED9DCC',
  ],
  [
    0x4a4bae807cc87355de2ead44b21a739d9d35e9bba9a217f5cc9c0108197ad137n,
    '0:D0E545323C7ACB7102653C073377F7E3C67F122EB94D430A250739F109D4A57D',
  ],
])

export type EvaaAsset = {
  readonly isKnown: boolean
  /** `undefined` for the native coin, too. */
  readonly jetton: string | undefined
}

export const findEvaaAsset = (assetId: bigint): EvaaAsset => {
  const jetton = jettons.get(assetId)
  return { isKnown: jetton !== undefined || assetId === TON_ASSET_ID, jetton }
}

/** As ids of assets are shown: without leading zeros. */
export const formatAssetId = (assetId: bigint): string => `0x${assetId.toString(16)}`

const comments: readonly (string | undefined)[] = ['EVAA liquidation.', 'EVAA supply.', 'EVAA withdraw.']

/** Excess that the lending contract returns, with its reason. */
export const commentedChange = when((block) => block.is(tonTransfer) && comments.includes(block.data.comment), {
  optional: true,
})

/** Whether a block is a call to a user contract. */
export const isUserCall = (block: Block, opcode: number): boolean =>
  block.is(callContract) && findUserOpcode(messageOf(block).body) === opcode

/** A call to a user contract. */
export const userCall = (opcode: number, around: Surroundings = {}): Pattern =>
  when((block) => isUserCall(block, opcode), around)

/** Whether a block is a request to the lending contract, by a call or by a forward payload. */
export const isRequest = (block: Block, opcode: number): boolean =>
  isCall(block, opcode) || (block.is(jettonTransfer) && block.data.forward?.tag === opcode)
