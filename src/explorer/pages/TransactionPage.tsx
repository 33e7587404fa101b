import type { TransactionView } from '../../api/v3/views/TransactionView.ts'
import { askV3 } from '../fetch/askV3.ts'
import { useAsk } from '../live/useAsk.ts'
import { SECOND } from '../live/usePolling.ts'
import { groupDigits } from '../model/amounts.ts'
import { findHash, hashToBase64 } from '../model/Hash.ts'
import { formatTime } from '../model/times.ts'
import { balanceChange, findFailure, outcomeOf } from '../model/transactionFacts.ts'
import { AddressLink } from '../parts/AddressLink.tsx'
import { Amount } from '../parts/Amount.tsx'
import { Badge } from '../parts/Badge.tsx'
import { Card } from '../parts/Card.tsx'
import { Facts } from '../parts/Facts.tsx'
import { Hash } from '../parts/Hash.tsx'
import { Icon } from '../parts/Icon.tsx'
import { MessageCard } from '../parts/MessageCard.tsx'
import { Phases } from '../parts/Phases.tsx'
import { Empty, Failure, Loading } from '../parts/states.tsx'
import { Link } from '../route/Link.tsx'
import { setup } from '../setup.ts'
import { BlockLink } from './BlockLink.tsx'
import { MachineLog } from './MachineLog.tsx'

export const TransactionPage = ({ hash }: { readonly hash: string }) => {
  const hex = findHash(hash)
  const { value, error } = useAsk(
    `transaction ${hex}`,
    async (signal) => {
      if (hex === undefined) return []
      return (await askV3('transactions', { hash: [hashToBase64(hex)], limit: 1 }, signal)).result.transactions
    },
    { pollMs: SECOND, isDone: (found) => found.length > 0 || hex === undefined },
  )
  if (hex === undefined)
    return <Failure error={new Error('That is no hash: one has 32 bytes, in hexadecimal or base64.')} />
  if (value === undefined) return error === undefined ? <Loading lines={8} /> : <Failure error={error} />
  const [transaction] = value
  if (transaction === undefined) {
    return (
      <Card>
        <Empty icon="transaction">
          There is no such transaction in the index. It is looked for again, in case it is new.
        </Empty>
      </Card>
    )
  }
  return <Transaction transaction={transaction} hex={hex} />
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
          <Icon name="tree" /> Its trace
        </Link>
      </header>
      {failure !== undefined && <Failure error={new Error(failure)} />}
      <div class="columns is-even">
        <Card title="Summary">
          <Facts
            facts={[
              ['Account', <AddressLink raw={account} hasCopy hasKind />],
              ['Time', formatTime(transaction.now)],
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
      {setup.hasControls && <MachineLog hash={hex} />}
    </>
  )
}

const Balance = ({ transaction }: { readonly transaction: TransactionView }) => {
  const change = balanceChange(transaction)
  const after = transaction.account_state_after.balance
  if (change === undefined || after === null) return <span class="muted">not known</span>
  return (
    <>
      <Amount value={after} />{' '}
      {change !== 0n && <Amount value={change < 0n ? -change : change} sign={change < 0n ? '−' : '+'} />}
    </>
  )
}
