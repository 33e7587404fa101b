import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { TransactionView } from '../../api/v3/views/transactions.ts'
import { setPosition, usePosition } from '../debugger/position.ts'
import type { ReplayTarget } from '../debugger/useReplay.ts'
import { callControls, callV2, callV3, type V2Result } from '../fetch/requests.ts'
import { SECOND, useRequest } from '../live/usePolling.ts'
import { blockEvents, isNews, useStream } from '../live/useStream.ts'
import { findHash, findRawAddress, hashToBase64 } from '../model/addresses.ts'
import { groupDigits } from '../model/format.ts'
import { balanceChange, findFailure, outcomeOf } from '../model/transactions.ts'
import { Amount } from '../parts/Amount.tsx'
import { Badge, Card, CopyButton, Empty, Facts, Failure, Icon, Loading, lazy, Tabs } from '../parts/basics.tsx'
import { AddressLink, BlockLink, Hash, When } from '../parts/links.tsx'
import { MessageCard } from '../parts/messages.tsx'
import { Phases } from '../parts/TransactionDetails.tsx'
import { Link } from '../route/Link.tsx'
import type { Route } from '../route/Route.ts'
import { setup } from '../setup.ts'

/** VM log of a transaction: on an embedded network it can be replayed. */
const VmLog = ({ hash }: { readonly hash: string }) => {
  const [log, setLog] = useState<string>()
  const [error, setError] = useState<Error>()
  const [isRunning, setRunning] = useState(false)
  const run = async (): Promise<void> => {
    setRunning(true)
    try {
      setLog((await callControls('log', { hash: hashToBase64(hash) })).log)
    } catch (failure) {
      setError(failure as Error)
    }
    setRunning(false)
  }
  return (
    <Card title="Virtual machine" aside={log === undefined ? undefined : <CopyButton text={log} what="log" />}>
      {log === undefined && !isRunning && (
        <p class="card-text">
          <button type="button" class="button" onClick={() => void run()}>
            Replay and show the VM log
          </button>
        </p>
      )}
      {isRunning && <Loading />}
      {error !== undefined && <Failure error={error} />}
      {log !== undefined && <pre class="log">{log === '' ? 'No code was executed.' : log}</pre>}
    </Card>
  )
}

export const TransactionPage = ({ hash }: { readonly hash: string }) => {
  const hex = findHash(hash)
  const [isAbsent, setAbsent] = useState(false)
  const stream = useStream(isAbsent ? blockEvents : undefined)
  const { value, error } = useRequest(
    `transaction ${hex}`,
    async (signal) => {
      if (hex === undefined) return []
      const { result } = await callV3('transactions', { hash: [hashToBase64(hex)], limit: 1 }, signal)
      setAbsent(result.transactions.length === 0)
      return result.transactions
    },
    { pollMs: SECOND, isDone: (found) => found.length > 0 || hex === undefined, stream, onEvent: isNews },
  )
  if (hex === undefined) return <Failure error={new Error('Not a valid hash: expected 32 bytes in hex or base64.')} />
  if (value === undefined) return error === undefined ? <Loading lines={8} /> : <Failure error={error} />
  const [transaction] = value
  if (transaction === undefined) {
    return (
      <Card>
        <Empty icon="transaction">This transaction is not in the index yet. Retrying.</Empty>
      </Card>
    )
  }
  return <Transaction key={hex} transaction={transaction} hex={hex} />
}

const DebuggerTab = lazy(async () => (await import('../debugger/DebuggerTab.tsx')).DebuggerTab)

type TransactionTabsProps = { readonly target: ReplayTarget; readonly children: ComponentChildren }

/** What is known of the transaction, and its replay, which is made when the tab is opened. */
const TransactionTabs = ({ target, children }: TransactionTabsProps) => {
  const { isOpen, step } = usePosition()
  if (!setup.hasDebugger) return <>{children}</>
  return (
    <>
      <Tabs
        label="Transaction"
        tabs={[
          { key: 'overview', title: 'Overview' },
          { key: 'debugger', title: 'Debugger' },
        ]}
        current={isOpen ? 'debugger' : 'overview'}
        onChange={(tab) => setPosition({ isOpen: tab === 'debugger', step: undefined })}
      />
      {isOpen ? <DebuggerTab target={target} step={step} /> : children}
    </>
  )
}

const Transaction = ({ transaction, hex }: { readonly transaction: TransactionView; readonly hex: string }) => {
  const { account, in_msg: received, out_msgs: sent, block_ref: block, description } = transaction
  const failure = findFailure(transaction)
  return (
    <>
      <header class="page-head">
        <h1>
          Transaction{' '}
          {outcomeOf(transaction) === 'failed' ? <Badge tone="bad">failed</Badge> : <Badge tone="good">success</Badge>}
        </h1>
        <p class="page-id">
          <Hash hash={hex} what="hash" isWhole />
        </p>
        <Link to={{ page: 'trace', hash: hex }} class="button">
          <Icon name="tree" /> Trace
        </Link>
      </header>
      <TransactionTabs target={{ hash: hashToBase64(hex) }}>
        {failure !== undefined && <FailedOverview failure={failure} />}
        <div class="columns is-even">
          <Card title="Summary">
            <Facts
              facts={[
                ['Account', <AddressLink raw={account} hasCopy hasKind />],
                ['Time', <When utime={transaction.now} />],
                ['Balance', <Balance transaction={transaction} />],
                ['Fee', <Amount value={transaction.total_fees} />],
                ['Logical time', <span class="mono">{groupDigits(transaction.lt)}</span>],
                ['Block', <BlockLink id={block} />],
                [
                  'Masterchain',
                  <BlockLink id={{ workchain: -1, shard: '8000000000000000', seqno: transaction.mc_block_seqno }} />,
                ],
                ['Kind', description.type === 'ord' ? 'ordinary' : description.type.replaceAll('_', '-')],
                transaction.orig_status !== transaction.end_status && [
                  'Account state',
                  `${transaction.orig_status} → ${transaction.end_status}`,
                ],
              ]}
            />
          </Card>
          <Card title="Phases">
            <Phases description={description} />
          </Card>
        </div>
        <div class="messages">
          {received !== null && <MessageCard message={received} title="Received" self={account} />}
          {sent.map((message, index) => (
            <MessageCard
              key={message.hash}
              message={message}
              title={sent.length === 1 ? 'Sent' : `Sent, ${index + 1} of ${sent.length}`}
              self={account}
            />
          ))}
        </div>
        {setup.hasControls && <VmLog hash={hex} />}
      </TransactionTabs>
    </>
  )
}

/** The reason of a failure, and the way to the step that failed. */
const FailedOverview = ({ failure }: { readonly failure: string }) => (
  <div class="note is-bad debug-failure" role="alert">
    <Icon name="warning" />
    <p>{failure}</p>
    {setup.hasDebugger && (
      <button type="button" class="button is-small" onClick={() => setPosition({ isOpen: true, step: undefined })}>
        Debug
      </button>
    )}
  </div>
)

const Balance = ({ transaction }: { readonly transaction: TransactionView }) => {
  const change = balanceChange(transaction)
  const after = transaction.account_state_after.balance
  return (
    <>
      {after !== null && <Amount value={after} />}{' '}
      {(change !== 0n || after === null) && (
        <Amount value={change < 0n ? -change : change} sign={change < 0n ? '−' : '+'} />
      )}
    </>
  )
}

type TransactionRoute = Extract<Route, { readonly page: 'transaction' }>

/** Live transaction page: without an index, a transaction is found by its account only. */
export const LiveTransactionPage = ({ route: { hash, account, lt } }: { readonly route: TransactionRoute }) => {
  const hex = findHash(hash)
  const isNamed = hex !== undefined && account !== undefined && lt !== undefined
  const { value, error } = useRequest(`live transaction ${hash}`, async (signal) =>
    isNamed ? callV2('getTransactions', { address: account, lt, hash: hashToBase64(hex), limit: 1 }, signal) : [],
  )
  if (!isNamed) {
    return (
      <Card>
        <Empty icon="transaction">Without an index, open a transaction from its account or block.</Empty>
      </Card>
    )
  }
  const transaction = value?.[0]
  return (
    <>
      <header class="page-head">
        <h1>Transaction</h1>
        <p class="page-id">
          <Hash hash={hex} what="hash" isWhole />
        </p>
      </header>
      {error !== undefined && <Failure error={error} />}
      {value === undefined && error === undefined && <Loading />}
      {transaction !== undefined && (
        <TransactionTabs key={hex} target={{ hash: hashToBase64(hex), account, lt }}>
          <Card title="Summary">
            <Facts
              facts={[
                ['Account', <AddressLink raw={findRawAddress(account) ?? account} hasCopy />],
                ['Time', <When utime={transaction.utime} />],
                ['Fee', <Amount value={String(transaction.fee)} />],
                ['For storage', <Amount value={String(transaction.storage_fee)} />],
                ['Logical time', <span class="mono">{groupDigits(String(transaction.transaction_id.lt))}</span>],
                ['Phases', <span class="muted">need an index</span>],
              ]}
            />
          </Card>
          <Messages transaction={transaction} />
        </TransactionTabs>
      )}
    </>
  )
}

type Live = V2Result<'getTransactions'>[number]
type LiveMessage = NonNullable<Live['out_msgs'][number]>

const Messages = ({ transaction: { in_msg: received, out_msgs: sent } }: { readonly transaction: Live }) => (
  <div class="messages">
    {received != null && <LiveMessageCard title="Received" message={received as LiveMessage} />}
    {sent.map((message) => (
      <LiveMessageCard key={message.hash} title="Sent" message={message} />
    ))}
  </div>
)

const LiveMessageCard = ({ title, message }: { readonly title: string; readonly message: LiveMessage }) => {
  const [source, destination] = [findRawAddress(String(message.source)), findRawAddress(String(message.destination))]
  return (
    <Card title={title}>
      <Facts
        facts={[
          ['From', source === undefined ? <span class="muted">outside</span> : <AddressLink raw={source} />],
          ['To', destination === undefined ? <span class="muted">outside</span> : <AddressLink raw={destination} />],
          ['Value', <Amount value={String(message.value)} />],
          ['Hash', <Hash hash={message.hash} what="hash of the message" />],
        ]}
      />
    </Card>
  )
}
