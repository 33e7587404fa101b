import type { Matcher } from '../../match/Matcher.ts'
import { blockKind } from '../../tree/Block.ts'
import { foldBlocks } from '../../tree/foldBlocks.ts'
import { messageOf } from '../bodies/body.ts'
import { readDkgLog, tgbtcOps } from '../bodies/tgbtc.ts'
import { isCall } from '../core/isCall.ts'

export type TgbtcDkgLogData = {
  readonly coordinator: string | undefined
  readonly timestamp: bigint
  readonly pubkey: bigint
}

/** Signers made a key together, and no more is known. */
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
