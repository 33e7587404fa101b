import { call, foldMatch, type Matcher } from '../match/Matcher.ts'
import { type Block, blockKind } from '../tree/Block.ts'
import { messageOf } from './body.ts'
import { findCall, isCall } from './core.ts'

const ELECTOR = `-1:${'3'.repeat(64)}`
const NEW_STAKE = 0x4e73744b
const STAKE_OK = 0xf374484c
const RECOVER = 0x47657424
const STAKE_RETURNED = 0xf96f7324

export type ElectionData = {
  readonly stakeHolder: string | undefined
  /** `undefined` if nothing was returned. */
  readonly amount: bigint | undefined
}

const describeElection = ({ data: { stakeHolder, amount } }: Block<ElectionData>) => ({
  source: stakeHolder,
  details: { stake_holder: stakeHolder ?? null, amount: amount?.toString() },
})

/** A validator enters an election. */
const electionDeposit = blockKind({ name: 'election_deposit', isClosed: true, describe: describeElection })

/** The elector returned a stake. */
const electionRecover = blockKind({ name: 'election_recover', isClosed: true, describe: describeElection })

export const matchElectionDeposit: Matcher = {
  name: 'election_deposit',
  isAnchor: (block) => isCall(block, NEW_STAKE) && messageOf(block).destination === ELECTOR,
  around: { next: call(STAKE_OK, { optional: true, withExcesses: false }) },
  build: (match) => {
    const { source: stakeHolder, value: amount } = messageOf(match.anchor)
    const isConfirmed = findCall(match.others, STAKE_OK) !== undefined
    foldMatch(match, electionDeposit, { stakeHolder, amount }, { failed: !isConfirmed })
  },
}

export const matchElectionRecover: Matcher = {
  name: 'election_recover',
  isAnchor: (block) => isCall(block, RECOVER) && messageOf(block).destination === ELECTOR,
  around: { next: call(STAKE_RETURNED, { optional: true, withExcesses: false }) },
  build: (match) => {
    const { source: stakeHolder } = messageOf(match.anchor)
    const returned = findCall(match.others, STAKE_RETURNED)
    const amount = returned && messageOf(returned).value
    foldMatch(match, electionRecover, { stakeHolder, amount }, { failed: returned === undefined })
  },
}
