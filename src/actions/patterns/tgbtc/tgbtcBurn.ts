import { foldMatch, type Matcher } from '../../match/Matcher.ts'
import { call } from '../../match/Pattern.ts'
import type { ActionFacts } from '../../rows/ActionFacts.ts'
import { type Block, blockKind } from '../../tree/Block.ts'
import { foldBlocks } from '../../tree/foldBlocks.ts'
import { jettonOps } from '../bodies/jetton.ts'
import { readBurnLog, tgbtcOps } from '../bodies/tgbtc.ts'
import { getCall, getKind } from '../core/findCall.ts'
import { isCall } from '../core/isCall.ts'
import { jettonBurn } from '../jetton/jettonBurn.ts'
import { pegout } from './pegout.ts'

export type TgbtcBurnData = {
  readonly sender: string | undefined
  readonly senderWallet: string | undefined
  readonly pegout: string | undefined
  readonly asset: string | undefined
  readonly amount: bigint
}

const describe = ({ data }: Block<TgbtcBurnData>): ActionFacts => ({
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

/** Bitcoin that goes back. */
const tgbtcBurn = blockKind<TgbtcBurnData>({ name: 'tgbtc_burn', describe })

/** The same, by the log alone. */
const tgbtcBurnFallback = blockKind<TgbtcBurnData>({
  name: 'tgbtc_burn',
  type: 'tgbtc_burn_fallback',
  describe,
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
    // Logs of former versions have other fields first, which read as a large amount.
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
