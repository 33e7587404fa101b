import type { ConfirmedAccount, ConfirmedContent } from '../../pending/confirmed/ConfirmedChange.ts'
import { bytesOf } from '../../pending/MemoryPendingStore.ts'
import type { JettonWallet } from '../../store/reader/jettons.ts'
import type { PendingTransaction } from '../../store/reader/pending.ts'
import type { AccountTransactionsEvent, FactsByAccount, JettonEvent, StateEvent } from '../events.ts'

/** An event without its id. */
type Draft<E> = Omit<E, 'id' | 'finality' | 'mcSeqno' | 'utime'>

type AccountDraft =
  | (Draft<AccountTransactionsEvent> & { readonly traceHashes: readonly Uint8Array[] })
  // The time is that of the block.
  | (Draft<StateEvent> & { readonly utime: number })
  | Draft<JettonEvent>

/** All transactions that the events of a block show. */
export const listTransactions = ({ accounts, traces }: ConfirmedContent): PendingTransaction[] => [
  ...accounts.flatMap(({ transactions }) => transactions),
  ...traces.flatMap(({ transactions }) => transactions),
]

/** The events of the accounts of a block: transactions first, then states and jetton wallets by logical time. */
export const listAccountEvents = (
  { accounts, wallets, genUtime }: ConfirmedContent,
  facts: FactsByAccount | undefined,
): { readonly event: AccountDraft; readonly bytes: number }[] => {
  const after = [
    ...accounts.map((each) => toStateEvent(each, genUtime, facts)),
    ...wallets.map((wallet) => toJettonEvent(wallet)),
  ].sort((a, b) => (a.lt < b.lt ? -1 : a.lt > b.lt ? 1 : 0))
  return [
    ...accounts.map(({ account, transactions, traceHashes }) => ({
      event: { kind: 'tx', account, transactions, traceHashes, facts } as const,
      bytes: bytesOf({ transactions, actions: [] }),
    })),
    ...after.map((event) => ({ event, bytes: 0 })),
  ]
}

const toStateEvent = (
  { account, state, previous, lt, lastTransactionHash }: ConfirmedAccount,
  utime: number,
  facts: FactsByAccount | undefined,
) => ({ kind: 'st', account, state, previous, lt, lastTransactionHash, utime, facts }) as const

const toJettonEvent = (wallet: JettonWallet) => ({ kind: 'je', lt: wallet.lastLt, wallet }) as const
