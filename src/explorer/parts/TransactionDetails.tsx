import type { ComponentChildren } from 'preact'
import type { TransactionView } from '../../api/v3/views/transactions.ts'
import { hashToHex } from '../model/addresses.ts'
import { groupDigits } from '../model/format.ts'
import type { TreeNode } from '../model/traceTree.ts'
import { explainExit, explainResult, explainSkip, findFailure } from '../model/transactions.ts'
import { Link } from '../route/Link.tsx'
import { setup } from '../setup.ts'
import { Amount } from './Amount.tsx'
import { Facts, Icon } from './basics.tsx'
import { AddressLink, Hash } from './links.tsx'
import { MessageBody } from './messages.tsx'

/** Summary of a transaction in a trace. */
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
          <Link to={{ page: 'transaction', hash: hashToHex(transaction.hash) }}>Transaction details</Link>
          {setup.hasDebugger && (
            <Link to={{ page: 'transaction', hash: hashToHex(transaction.hash), hasDebugger: true }}>Debug</Link>
          )}
        </p>
      )}
    </>
  )
}

type Description = TransactionView['description']
type State = 'good' | 'bad' | 'plain'

/** The phases of a transaction. */
export const Phases = ({ description }: { readonly description: Description }) => {
  const { storage_ph: storage, credit_ph: credit, compute_ph: compute, action, bounce } = description
  return (
    <ol class="phases">
      {storage !== undefined && (
        <Phase title="Storage" state={storage.status_change === 'unchanged' ? 'plain' : 'bad'}>
          <Amount value={storage.storage_fees_collected} /> collected
          {storage.storage_fees_due !== undefined && (
            <>
              , <Amount value={storage.storage_fees_due} /> due
            </>
          )}
          {storage.status_change !== 'unchanged' && `, the account is ${storage.status_change}`}
        </Phase>
      )}
      {credit !== undefined && (
        <Phase title="Credit" state="plain">
          <Amount value={credit.credit} /> came in
        </Phase>
      )}
      {compute !== undefined && <Compute compute={compute} />}
      {action !== undefined && <Action action={action} />}
      {bounce !== undefined && (
        <Phase title="Bounce" state="bad">
          {bounce.type === 'ok' ? 'remaining value returned to the sender' : 'not enough value to bounce'}
        </Phase>
      )}
    </ol>
  )
}

const Compute = ({ compute }: { readonly compute: NonNullable<Description['compute_ph']> }) => {
  if (compute.skipped) {
    return (
      <Phase title="Compute" state="plain">
        skipped: {explainSkip(compute.reason ?? '')}
      </Phase>
    )
  }
  const { exit_code: code = 0, gas_used: used = '0', gas_limit: limit = '0', vm_steps: steps = 0, success } = compute
  const credit = Number(limit) === 0 ? compute.gas_credit : undefined
  const bound = credit ?? limit
  return (
    <Phase title="Compute" state={success === true ? 'good' : 'bad'}>
      exit code {code}: {explainExit(code)}
      <span class="phase-line">
        <meter
          class="gas"
          min={0}
          max={Math.max(1, Number(bound), Number(used))}
          value={Number(used)}
          aria-label="Gas"
        />
        {groupDigits(used)} of {groupDigits(bound)} gas{credit !== undefined && ' on credit'} in {groupDigits(steps)}{' '}
        steps
      </span>
      <span class="phase-line">
        <Amount value={compute.gas_fees ?? '0'} /> for gas
      </span>
    </Phase>
  )
}

const Action = ({ action }: { readonly action: NonNullable<Description['action']> }) => (
  <Phase title="Action" state={action.success ? 'good' : 'bad'}>
    {action.success
      ? `${action.tot_actions} ${action.tot_actions === 1 ? 'action' : 'actions'}, ${action.msgs_created} sent`
      : `result code ${action.result_code}: ${explainResult(action.result_code)}`}
    {action.skipped_actions > 0 && `, ${action.skipped_actions} skipped`}
    {action.total_action_fees !== undefined && (
      <span class="phase-line">
        <Amount value={action.total_action_fees} /> for actions
      </span>
    )}
  </Phase>
)

type PhaseProps = { readonly title: string; readonly state: State; readonly children: ComponentChildren }

const Phase = ({ title, state, children }: PhaseProps) => (
  <li class={`phase is-${state}`}>
    <span class="phase-title">{title}</span>
    <span class="phase-text">{children}</span>
  </li>
)
