import type { ComponentChildren } from 'preact'
import type { V3Result } from '../fetch/requests.ts'
import { isAccount } from '../model/addressBook.ts'
import { groupDigits } from '../model/format.ts'
import { Amount } from '../parts/Amount.tsx'
import { AddressLink } from '../parts/links.tsx'

type Order = V3Result<'multisig/orders'>['orders'][number]
type Action = NonNullable<Order['actions']>[number]

/** What an order does, one line for each of its actions. */
export const OrderActions = ({ actions }: { readonly actions: readonly Action[] | null }) => {
  if (actions === null) return <p class="muted">Its content cannot be read.</p>
  if (actions.length === 0) return <p class="muted">It does nothing.</p>
  return (
    <ol class="order-actions">
      {actions.map((action, index) => (
        <li key={`${index} ${action.parsed_body_type}`}>
          <Described action={action} />
        </li>
      ))}
    </ol>
  )
}

type Members = NonNullable<Action['parsed_body']>

const Address = ({ value }: { readonly value: unknown }) =>
  typeof value === 'string' && isAccount(value) ? <AddressLink raw={value} /> : <span class="muted">nobody</span>

const Coins = ({ value }: { readonly value: unknown }) =>
  typeof value === 'string' && /^\d+$/.test(value) ? <Amount value={value} /> : null

/** Jettons in the smallest unit: an order names the wallet, not the jetton. */
const Units = ({ value }: { readonly value: unknown }) => (
  <span class="amount">
    {typeof value === 'string' ? groupDigits(value) : '?'}
    <span class="unit">units</span>
  </span>
)

const Comment = ({ members }: { readonly members: Members }) => {
  const { comment } = members
  if (typeof comment !== 'string' || comment === '') return null
  return <span class="action-note">{members['encrypted'] === true ? 'encrypted comment' : `“${comment}”`}</span>
}

const AddressList = ({ values }: { readonly values: unknown }) => (
  <>
    {Array.isArray(values) &&
      values.map((each: unknown, index) => <Address key={`${index} ${String(each)}`} value={each} />)}
  </>
)

/** Words for every type that the interface parses. */
const sentences: { readonly [type: string]: (members: Members, action: Action) => ComponentChildren } = {
  ton_transfer: (members, { destination, value }) => (
    <>
      Send <Coins value={value} /> to <Address value={destination} /> <Comment members={members} />
    </>
  ),
  jetton_transfer: (members) => (
    <>
      Send <Units value={members['amount']} /> of a jetton to <Address value={members['destination']} />{' '}
      <Comment members={members} />
    </>
  ),
  jetton_burn: (members) => (
    <>
      Burn <Units value={members['amount']} /> of a jetton
    </>
  ),
  jetton_mint: (members, { destination }) => (
    <>
      Mint <Units value={members['master_msg_jetton_amount']} /> of <Address value={destination} /> for{' '}
      <Address value={members['to_address']} />
    </>
  ),
  nft_transfer: (members, { destination }) => (
    <>
      Transfer the NFT <Address value={destination} /> to <Address value={members['new_owner']} />
    </>
  ),
  jetton_top_up: (_, { destination, value }) => (
    <>
      Top up <Address value={destination} /> with <Coins value={value} />
    </>
  ),
  jetton_change_admin: (members, { destination }) => (
    <>
      Make <Address value={members['new_admin_address']} /> the admin of <Address value={destination} />
    </>
  ),
  jetton_claim_admin: (_, { destination }) => (
    <>
      Become the admin of <Address value={destination} />
    </>
  ),
  jetton_change_content: (members, { destination }) => (
    <>
      Change the metadata of <Address value={destination} /> to{' '}
      <span class="value">{String(members['new_metadata_url'])}</span>
    </>
  ),
  jetton_call_to: (members, { destination }) => (
    <>
      Have the jetton <Address value={destination} /> call the wallet of <Address value={members['to_address']} />:{' '}
      {String(members['action_type'])}
    </>
  ),
  jetton_set_status: (members, { destination }) => (
    <>
      Set the status of <Address value={destination} /> to {String(members['new_status'])}
    </>
  ),
  single_nominator_withdraw: (members, { destination }) => (
    <>
      Withdraw <Coins value={members['coins']} /> from the nominator <Address value={destination} />
    </>
  ),
  single_nominator_change_validator: (members, { destination }) => (
    <>
      Make <Address value={members['validator_address']} /> the validator of <Address value={destination} />
    </>
  ),
  vesting_internal_transfer: (members, { destination }) => (
    <>
      Send <Coins value={members['value']} /> from the vesting <Address value={destination} /> to{' '}
      <Address value={members['destination']} /> <Comment members={members} />
    </>
  ),
  multisig_update_params: (members) => (
    <>
      Change the wallet: {String(members['new_threshold'])} signatures of{' '}
      <AddressList values={members['new_signers']} />
      {Array.isArray(members['new_proposers']) && members['new_proposers'].length > 0 && (
        <>
          ; proposers <AddressList values={members['new_proposers']} />
        </>
      )}
    </>
  ),
}

const Described = ({ action }: { readonly action: Action }) => {
  const { parsed_body: members, parsed_body_type: type, destination, value, error } = action
  const describe = sentences[type]
  if (members !== null && describe !== undefined) return <span class="order-action">{describe(members, action)}</span>
  const opcode = members?.['opcode']
  return (
    <span class="order-action">
      Send <Coins value={value} /> to <Address value={destination} />
      {typeof opcode === 'number' && <span class="op">0x{opcode.toString(16).padStart(8, '0')}</span>}
      {error !== null && <span class="muted">{error}</span>}
    </span>
  )
}
