import { foldMatch, type Match, type Matcher } from '../../match/Matcher.ts'
import { MatchRefusedError } from '../../match/MatchRefusedError.ts'
import { call, kindOf } from '../../match/Pattern.ts'
import type { ActionFacts } from '../../rows/ActionFacts.ts'
import { type Block, blockKind } from '../../tree/Block.ts'
import { foldBlocks } from '../../tree/foldBlocks.ts'
import { messageOf } from '../bodies/body.ts'
import { readMintLog, tgbtcOps } from '../bodies/tgbtc.ts'
import { getCall, getKind } from '../core/findCall.ts'
import { isCall } from '../core/isCall.ts'
import { jettonMint } from '../jetton/jettonMint.ts'

export type TgbtcMintData = {
  readonly sender: string | undefined
  readonly teleport: string | undefined
  readonly recipient: string | undefined
  readonly recipientWallet: string | undefined
  readonly asset: string | undefined
  readonly amount: bigint
  readonly txid: bigint
}

const describe = ({ data }: Block<TgbtcMintData>): ActionFacts => ({
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

/** Bitcoin shows the bytes of its hashes from the last to the first. */
const formatTxid = (txid: bigint): string => {
  const bytes = txid.toString(16).padStart(64, '0').match(/../g) ?? []
  return bytes.reverse().join('')
}

/** Bitcoin that came over. */
const tgbtcMint = blockKind<TgbtcMintData>({ name: 'tgbtc_mint', describe })

/** The same, by the log alone. */
const tgbtcMintFallback = blockKind<TgbtcMintData>({
  name: 'tgbtc_mint',
  type: 'tgbtc_mint_fallback',
  describe,
})

const MAX_STEPS = 20

/** The end of a mint is found first: how many steps it took to prove the payment differs. */
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

/** All that came before, up to the request; it is the last. */
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
