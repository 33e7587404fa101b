import { foldMatch, type Matcher } from '../../match/Matcher.ts'
import { call, when } from '../../match/Pattern.ts'
import type { ActionFacts } from '../../rows/ActionFacts.ts'
import { type Block, blockKind } from '../../tree/Block.ts'
import { foldBlocks } from '../../tree/foldBlocks.ts'
import { messageOf } from '../bodies/body.ts'
import { readNewKeyLog, tgbtcOps } from '../bodies/tgbtc.ts'
import { getCall } from '../core/findCall.ts'
import { isCall } from '../core/isCall.ts'
import { pegout } from './pegout.ts'

export type TgbtcNewKeyData = {
  /** Who told that the key was made; `undefined` where that is not known. */
  readonly source: string | undefined
  readonly pubkey: bigint
  readonly coordinator: string | undefined
  readonly pegout: string | undefined
  readonly amount: bigint
}

const describe = ({ data }: Block<TgbtcNewKeyData>): ActionFacts => {
  const pubkey = data.pubkey.toString(16)
  return {
    source: data.source,
    // It stands in a place for addresses, and so the key has a history as an account has.
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

/** All bitcoin goes over to a new key. */
const tgbtcNewKey = blockKind<TgbtcNewKeyData>({ name: 'tgbtc_new_key', describe })

/** The same, by the log alone. */
const tgbtcNewKeyFallback = blockKind<TgbtcNewKeyData>({
  name: 'tgbtc_new_key',
  type: 'tgbtc_new_key_fallback',
  describe,
})

export const matchTgbtcNewKey: Matcher = {
  name: 'tgbtc new key',
  isAnchor: (block) => isCall(block, tgbtcOps.keyChange),
  around: {
    // Whatever it is, but not the one that stands before all.
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
