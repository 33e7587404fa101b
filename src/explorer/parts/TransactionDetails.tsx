import { hashToHex } from '../model/Hash.ts'
import type { TreeNode } from '../model/traceTree.ts'
import { findFailure } from '../model/transactionFacts.ts'
import { Link } from '../route/Link.tsx'
import { AddressLink } from './AddressLink.tsx'
import { Amount } from './Amount.tsx'
import { Facts } from './Facts.tsx'
import { Hash } from './Hash.tsx'
import { Icon } from './Icon.tsx'
import { MessageBody } from './MessageBody.tsx'

/** A step of a trace, short. */
export const TransactionDetails = ({ node }: { readonly node: TreeNode }) => {
  const { transaction, message, account } = node
  const failure = transaction && findFailure(transaction)
  const isReal = transaction !== undefined && !transaction.emulated
  return (
    <>
      {failure !== undefined && (
        <div class="note is-bad">
          <Icon name="warning" />
          <p>{failure}</p>
        </div>
      )}
      <Facts
        facts={[
          ['Account', <AddressLink raw={account} hasCopy hasKind />],
          message?.source != null && ['From', <AddressLink raw={message.source} hasCopy hasKind />],
          message?.value != null && ['Came with', <Amount value={message.value} />],
          transaction !== undefined && ['Fee', <Amount value={transaction.total_fees} />],
          transaction?.description.compute_ph?.gas_used !== undefined && [
            'Gas',
            transaction.description.compute_ph.gas_used,
          ],
          isReal && [
            'Transaction',
            <Hash
              hash={transaction.hash}
              what="hash of the transaction"
              to={{ page: 'transaction', hash: hashToHex(transaction.hash) }}
            />,
          ],
          message !== null && ['Message', <Hash hash={message.hash} what="hash of the message" />],
        ]}
      />
      {message !== null && <MessageBody message={message} />}
      {isReal && (
        <p class="card-foot">
          <Link to={{ page: 'transaction', hash: hashToHex(transaction.hash) }}>All about this transaction</Link>
        </p>
      )}
    </>
  )
}
