import { call, foldMatch, kindOf, type Match, type Matcher, when } from '../match/Matcher.ts'
import { type Addresses, type Block, blockKind, foldBlocks, MatchRefusedError } from '../tree/Block.ts'
import { messageOf, openBody, readAddress } from './body.ts'
import { getCall, getKind, isCall, tonTransfer } from './core.ts'
import { jettonBurn, jettonMint, jettonOps } from './jettons.ts'

/** Opcodes of the tgBTC bridge; most actions are read from its logs. */
const tgbtcOps = {
  mintHead: 0x3f781d24,
  mintTail: 0xe42a879b,
  mintLog: 0x77a80ef3,
  burnNotification: 0x587643a2,
  burnLog: 0xca444ce6,
  keyChange: 0x690f357a,
  newKeyLog: 0x27756729,
  dkgLog: 0x453443a6,
  pegout: 0xbe44e7a6,
  pegoutFollowUp: 0x1a84c0e0,
} as const

const readMintLog = (block: Block) => {
  const r = openBody(block)
  return { amount: r.readCoins(), recipient: readAddress(r), txid: r.readUintWide(256) }
}

const readBurnLog = (block: Block) => {
  const r = openBody(block)
  return { amount: r.readCoins(), sender: readAddress(r), pegout: readAddress(r) }
}

const readNewKeyLog = (block: Block) => {
  const r = openBody(block)
  return { amount: r.readCoins(), pubkey: r.readUintWide(256), pegout: readAddress(r) }
}

const readDkgLog = (block: Block) => {
  const r = openBody(block)
  return { timestamp: r.readUint64(), pubkey: r.readUintWide(256) }
}

/** The payout contract is deployed and returns its excess. */
const pegout = call(tgbtcOps.pegout, {
  optional: true,
  all: [call(tgbtcOps.pegoutFollowUp, { optional: true }), kindOf(tonTransfer, { optional: true })],
})

export type TgbtcBurnData = Addresses<'sender' | 'senderWallet' | 'pegout' | 'asset'> & { readonly amount: bigint }

const describeBurn = ({ data }: Block<TgbtcBurnData>) => ({
  source: data.sender,
  sourceSecondary: data.senderWallet,
  destination: data.pegout,
  details: {
    source: data.sender ?? null,
    source_wallet: data.senderWallet ?? null,
    destination: data.pegout ?? null,
    amount: String(data.amount),
    asset: data.asset ?? null,
  },
})

/** Burn: bitcoin is paid out. */
const tgbtcBurn = blockKind<TgbtcBurnData>({ name: 'tgbtc_burn', describe: describeBurn })

/** The same from the log alone. */
const tgbtcBurnFallback = blockKind<TgbtcBurnData>({
  name: 'tgbtc_burn',
  type: 'tgbtc_burn_fallback',
  describe: describeBurn,
})

export const matchTgbtcBurn: Matcher = {
  name: 'tgbtc burn',
  isAnchor: (block) => block.is(jettonBurn),
  around: {
    next: call([jettonOps.burnNotification, tgbtcOps.burnNotification], { all: [call(tgbtcOps.burnLog), pegout] }),
  },
  build: (match) => {
    const { owner, ownerWallet, asset, amount: burnt } = getKind([match.anchor], jettonBurn).data
    const { amount: logged, pegout: target } = readBurnLog(getCall(match.others, tgbtcOps.burnLog))
    // Logs of older versions begin with other fields, which would read as a large amount.
    const amount = burnt < logged ? burnt : logged
    foldMatch(match, tgbtcBurn, { sender: owner, senderWallet: ownerWallet, pegout: target, asset, amount })
  },
}

export const matchTgbtcBurnLog: Matcher = {
  name: 'tgbtc burn log',
  isAnchor: (block) => isCall(block, tgbtcOps.burnLog),
  around: {},
  build: ({ anchor }) => {
    const data = { ...readBurnLog(anchor), senderWallet: undefined, asset: undefined }
    foldBlocks(tgbtcBurnFallback, data, [anchor])
  },
}

export type TgbtcDkgLogData = {
  readonly coordinator: string | undefined
  readonly timestamp: bigint
  readonly pubkey: bigint
}

/** Signers generated a distributed key; nothing else is known. */
const tgbtcDkgLog = blockKind<TgbtcDkgLogData>({
  name: 'tgbtc_dkg_log',
  type: 'tgbtc_dkg_log_fallback',
  describe: ({ data: { coordinator, timestamp, pubkey } }) => ({
    source: coordinator,
    details: { coordinator: coordinator ?? null, pubkey: pubkey.toString(16), timestamp: String(timestamp) },
  }),
})

export const matchTgbtcDkgLog: Matcher = {
  name: 'tgbtc dkg log',
  isAnchor: (block) => isCall(block, tgbtcOps.dkgLog),
  around: {},
  build: ({ anchor }) => {
    foldBlocks(tgbtcDkgLog, { ...readDkgLog(anchor), coordinator: messageOf(anchor).source }, [anchor])
  },
}

export type TgbtcMintData = Addresses<'sender' | 'teleport' | 'recipient' | 'recipientWallet' | 'asset'> & {
  readonly amount: bigint
  readonly txid: bigint
}

const describeMint = ({ data }: Block<TgbtcMintData>) => ({
  source: data.sender,
  sourceSecondary: data.teleport,
  destination: data.recipient,
  destinationSecondary: data.recipientWallet,
  details: {
    source: data.sender ?? null,
    destination: data.recipient ?? null,
    amount: String(data.amount),
    asset: data.asset ?? null,
    bitcoin_tx_id: formatTxid(data.txid),
    destination_wallet: data.recipientWallet ?? null,
  },
})

/** Bitcoin shows hashes in reverse byte order. */
const formatTxid = (txid: bigint): string => {
  const bytes = txid.toString(16).padStart(64, '0').match(/../g) ?? []
  return bytes.reverse().join('')
}

/** Mint: bitcoin was deposited. */
const tgbtcMint = blockKind<TgbtcMintData>({ name: 'tgbtc_mint', describe: describeMint })

/** The same from the log alone. */
const tgbtcMintFallback = blockKind<TgbtcMintData>({
  name: 'tgbtc_mint',
  type: 'tgbtc_mint_fallback',
  describe: describeMint,
})

const MAX_STEPS = 20

/** Matched from the end: the number of proof steps before a mint varies. */
export const matchTgbtcMint: Matcher = {
  name: 'tgbtc mint',
  isAnchor: (block) => isCall(block, tgbtcOps.mintTail),
  around: { all: [call(tgbtcOps.mintLog), kindOf(jettonMint)] },
  build: (match) => {
    const log = getCall(match.others, tgbtcOps.mintLog)
    const minted = getKind(match.others, jettonMint).data
    const steps = takeSteps(match)
    const data = {
      ...readMintLog(log),
      sender: messageOf(steps.at(-1)!).source,
      teleport: messageOf(log).source,
      recipientWallet: minted.receiverWallet,
      asset: minted.asset,
    }
    foldMatch({ anchor: match.anchor, others: [...match.others, ...steps] }, tgbtcMint, data)
  },
}

/** All blocks before this one up to the request, which is the last. */
const takeSteps = ({ anchor }: Match): Block[] => {
  const steps: Block[] = []
  for (let block = anchor.previous; block !== undefined && steps.length < MAX_STEPS; block = block.previous) {
    steps.push(block)
    if (isCall(block, tgbtcOps.mintHead)) return steps
  }
  throw new MatchRefusedError('The request for the mint was not found.')
}

export const matchTgbtcMintLog: Matcher = {
  name: 'tgbtc mint log',
  isAnchor: (block) => isCall(block, tgbtcOps.mintLog),
  around: {},
  build: ({ anchor }) => {
    const teleport = messageOf(anchor).source
    const data = {
      ...readMintLog(anchor),
      sender: teleport,
      teleport,
      recipientWallet: undefined,
      asset: undefined,
    }
    foldBlocks(tgbtcMintFallback, data, [anchor])
  },
}

export type TgbtcNewKeyData = Addresses<'coordinator' | 'pegout'> & {
  /** The sender of the new-key notification; `undefined` if unknown. */
  readonly source: string | undefined
  readonly pubkey: bigint
  readonly amount: bigint
}

const describeNewKey = ({ data }: Block<TgbtcNewKeyData>) => {
  const pubkey = data.pubkey.toString(16)
  return {
    source: data.source,
    // The field holds addresses, so that the key has a history like an account.
    sourceSecondary: pubkey,
    destination: data.coordinator,
    destinationSecondary: data.pegout,
    details: {
      source: data.source ?? null,
      pubkey,
      coordinator: data.coordinator ?? null,
      pegout: data.pegout ?? null,
      amount: String(data.amount),
      asset: null,
    },
  }
}

/** All bitcoin moves to a new key. */
const tgbtcNewKey = blockKind<TgbtcNewKeyData>({ name: 'tgbtc_new_key', describe: describeNewKey })

/** The same from the log alone. */
const tgbtcNewKeyFallback = blockKind<TgbtcNewKeyData>({
  name: 'tgbtc_new_key',
  type: 'tgbtc_new_key_fallback',
  describe: describeNewKey,
})

export const matchTgbtcNewKey: Matcher = {
  name: 'tgbtc new key',
  isAnchor: (block) => isCall(block, tgbtcOps.keyChange),
  around: {
    // Any block except the root, which stands for the whole trace.
    previous: when((block) => block.previous !== undefined, { next: call(tgbtcOps.dkgLog) }),
    all: [call(tgbtcOps.newKeyLog), pegout],
  },
  build: (match) => {
    const log = getCall(match.others, tgbtcOps.newKeyLog)
    const source = messageOf(getCall(match.others, tgbtcOps.dkgLog)).source
    foldMatch(match, tgbtcNewKey, { ...readNewKeyLog(log), source, coordinator: messageOf(log).source })
  },
}

export const matchTgbtcNewKeyLog: Matcher = {
  name: 'tgbtc new key log',
  isAnchor: (block) => isCall(block, tgbtcOps.newKeyLog),
  around: {},
  build: ({ anchor }) => {
    const data = { ...readNewKeyLog(anchor), source: undefined, coordinator: messageOf(anchor).source }
    foldBlocks(tgbtcNewKeyFallback, data, [anchor])
  },
}
