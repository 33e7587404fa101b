import type { TransactionView } from '../../api/v3/views/transactions.ts'
import { hashToHex } from '../model/addresses.ts'
import { balanceChange, findFailure, nameMessage, outcomeOf } from '../model/transactions.ts'
import { Amount } from './Amount.tsx'
import { Badge } from './basics.tsx'
import { AddressLink, Hash, TimeAgo } from './links.tsx'

type RowsProps = { readonly transactions: readonly TransactionView[]; readonly hasAccount?: boolean }

export const TransactionRows = ({ transactions, hasAccount = true }: RowsProps) => (
  <div class="table-frame">
    <table class="table">
      <thead>
        <tr>
          <th>Transaction</th>
          {hasAccount && <th>Account</th>}
          <th>Message</th>
          <th class="number">Balance</th>
          <th class="number">Fee</th>
          <th class="number">Time</th>
        </tr>
      </thead>
      <tbody>
        {transactions.map((transaction) => (
          <Row key={transaction.hash} transaction={transaction} hasAccount={hasAccount} />
        ))}
      </tbody>
    </table>
  </div>
)

const Row = ({ transaction, hasAccount }: { readonly transaction: TransactionView; readonly hasAccount: boolean }) => {
  const { hash, account, in_msg: message, description, total_fees: fees, now } = transaction
  const change = balanceChange(transaction)
  return (
    <tr>
      <td data-label="Transaction">
        <Hash hash={hash} what="hash" to={{ page: 'transaction', hash: hashToHex(hash) }} hasCopy={false} />{' '}
        {outcomeOf(transaction) === 'failed' && (
          <Badge tone="bad" title={findFailure(transaction)}>
            failed
          </Badge>
        )}
      </td>
      {hasAccount && (
        <td data-label="Account">
          <AddressLink raw={account} />
        </td>
      )}
      <td data-label="Message">
        {message === null ? (
          <span class="muted">{description.type.replace('_', '-')}</span>
        ) : (
          <span class="op">{nameMessage(message)}</span>
        )}
      </td>
      <td data-label="Balance" class="number">
        <Amount
          value={change < 0n ? -change : change}
          sign={change > 0n ? '+' : change < 0n ? '−' : undefined}
          hasUnit={false}
        />
      </td>
      <td data-label="Fee" class="number">
        <Amount value={fees} hasUnit={false} />
      </td>
      <td data-label="Time" class="number">
        <TimeAgo utime={now} />
      </td>
    </tr>
  )
}
