import type { MatchContext, Matcher } from '../match/Matcher.ts'
import { type Block, blockKind, foldBlocks } from '../tree/Block.ts'
import { messageOf } from './body.ts'
import { getKind, isCall, type TonTransferData, tonTransfer } from './core.ts'

const EXCESSES = 0xd53276db
const BOUNCE = 0xffffffff

/** Whether a block is a transfer to a nominator pool with a command as its comment. */
const isCommand = (block: Block, command: string, { facts }: MatchContext): block is Block<TonTransferData> =>
  block.is(tonTransfer) && block.data.comment === command && facts.of(block.data.destination).isNominatorPool === true

/** A payout that the pool makes on its own belongs to the command. */
const returnsOf = (command: Block): Block[] => command.next.filter((next) => isCall(next, EXCESSES, BOUNCE))

export type NominatorDepositData = { readonly holder: string; readonly pool: string; readonly amount: bigint }

/** Deposit to a nominator pool. */
const nominatorDeposit = blockKind<NominatorDepositData>({
  name: 'nominator_pool_deposit',
  type: 'stake_deposit',
  isClosed: true,
  describe: ({ data: { holder, pool, amount } }) => ({
    source: holder,
    destination: pool,
    details: {
      provider: 'nominator',
      stake_holder: holder,
      pool,
      amount: String(amount),
      tokens_minted: null,
      asset: null,
    },
  }),
})

export const matchNominatorDeposit: Matcher = {
  name: 'nominator deposit',
  isAnchor: (block, context) => isCommand(block, 'd', context),
  around: {},
  build: ({ anchor }) => {
    const { source, destination, value } = getKind([anchor], tonTransfer).data
    const data = { holder: source, pool: destination, amount: value }
    foldBlocks(nominatorDeposit, data, [anchor, ...returnsOf(anchor)], { failed: anchor.failed })
  },
}

/** Paid or not, both use the same name for their ids. */
const NAME = 'nominator_pool_withdraw_request'

export type NominatorWithdrawalData = { readonly holder: string; readonly pool: string; readonly amount: bigint }

/** A nominator pool paid a stake back. */
const nominatorWithdrawal = blockKind<NominatorWithdrawalData>({
  name: NAME,
  type: 'stake_withdrawal',
  isClosed: true,
  describe: ({ data: { holder, pool, amount } }) => ({
    source: holder,
    destination: pool,
    details: {
      provider: 'nominator',
      stake_holder: holder,
      pool,
      amount: String(amount),
      payout_nft: null,
      tokens_burnt: null,
      asset: null,
    },
  }),
})

export type NominatorWithdrawRequestData = { readonly holder: string; readonly pool: string }

/** A requested withdrawal that the pool pays later. */
const nominatorWithdrawRequest = blockKind<NominatorWithdrawRequestData>({
  name: NAME,
  type: 'stake_withdrawal_request',
  isClosed: true,
  describe: ({ data: { holder, pool } }) => ({
    source: holder,
    destination: pool,
    details: {
      provider: 'nominator',
      stake_holder: holder,
      pool,
      payout_nft: null,
      asset: null,
      tokens_burnt: null,
    },
  }),
})

const PROCESS_REQUESTS = 0x00000002

/** The pool owner triggers pending payouts; each is a separate action. */
export const matchNominatorPayouts: Matcher = {
  name: 'nominator payouts by owner',
  isAnchor: (block, { facts }) =>
    isCall(block, PROCESS_REQUESTS) && facts.of(messageOf(block).destination).isNominatorPool === true,
  around: {},
  build: ({ anchor }) => {
    for (const payout of [...anchor.next]) {
      if (!payout.is(tonTransfer)) continue
      const { source: pool, destination: holder, value: amount } = payout.data
      foldBlocks(nominatorWithdrawal, { holder, pool, amount }, [payout])
    }
  },
}

/** A holder requests the stake; the reply of the pool shows whether it was paid immediately. */
export const matchNominatorWithdrawRequest: Matcher = {
  name: 'nominator withdraw request',
  isAnchor: (block, context) => isCommand(block, 'w', context),
  around: {},
  build: ({ anchor }) => {
    const { source: holder, destination: pool, value: sent } = getKind([anchor], tonTransfer).data
    const transfers = anchor.next.filter((next): next is Block<TonTransferData> => next.is(tonTransfer))
    const isTold = transfers.length === 1 || transfers.length === 2
    const parts = [anchor, ...returnsOf(anchor), ...(isTold ? transfers : [])]
    const amount = isTold ? findPayout(transfers, sent) : undefined
    const { failed } = anchor
    if (amount === undefined) foldBlocks(nominatorWithdrawRequest, { holder, pool }, parts, { failed })
    else foldBlocks(nominatorWithdrawal, { holder, pool, amount }, parts, { failed })
  },
}

/** A single transfer may be only excess; of two, the first is the stake. */
const findPayout = (transfers: readonly Block<TonTransferData>[], sent: bigint): bigint | undefined => {
  const [first, second] = [...transfers].sort((a, b) => (a.startLt < b.startLt ? -1 : 1))
  if (first === undefined || (second === undefined && first.data.value <= sent)) return undefined
  return first.data.value
}
