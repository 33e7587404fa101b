import { callV3, type V3Result } from '../fetch/requests.ts'
import { SECOND, usePages, useRequest } from '../live/usePolling.ts'
import { friendlyOf } from '../model/addressBook.ts'
import { Badge, Card, Failure, Icon, Loading } from '../parts/basics.tsx'
import { AddressLink } from '../parts/links.tsx'
import { Link } from '../route/Link.tsx'
import { EntityHistory } from './JettonPage.tsx'
import { OrderActions } from './OrderActions.tsx'
import { EntityHead, Moment, Paged, Stats, Views } from './parts.tsx'

type Multisig = V3Result<'multisig/wallets'>['multisigs'][number]
type Order = V3Result<'multisig/orders'>['orders'][number]

/** A multisig wallet with its signers and orders; or one order. */
export const MultisigPage = ({ raw }: { readonly raw: string }) => {
  const { value, error } = useRequest(
    `multisig ${raw}`,
    async (signal) => {
      const [wallets, orders] = await Promise.all([
        callV3('multisig/wallets', { address: [raw], include_orders: false }, signal),
        callV3('multisig/orders', { address: [raw], parse_actions: true }, signal),
      ])
      return { multisig: wallets.result.multisigs[0], order: orders.result.orders[0] }
    },
    { pollMs: 5 * SECOND },
  )
  if (value === undefined) return error === undefined ? <Loading lines={8} /> : <Failure error={error} />
  const { multisig, order } = value
  if (multisig !== undefined) return <MultisigView multisig={multisig} />
  if (order !== undefined) return <OrderView order={order} />
  return <Failure error={new Error('There is no multisig wallet at this address.')} />
}

const MultisigView = ({ multisig }: { readonly multisig: Multisig }) => {
  const { address, threshold, signers, proposers } = multisig
  return (
    <>
      <EntityHead
        raw={address}
        kind="Multisig wallet"
        title={`${threshold} of ${signers.length} signers`}
        name={`${threshold}/${signers.length}`}
        url={undefined}
      />
      <Stats
        stats={[
          ['Signatures needed', `${threshold} of ${signers.length}`],
          ['Signers', signers.length],
          ['Proposers', proposers.length],
          ['Next order', multisig.next_order_seqno.length > 18 ? 'any number' : `#${multisig.next_order_seqno}`],
        ]}
      />
      <Views
        label="Multisig"
        tabs={[
          { key: 'orders', title: 'Orders' },
          { key: 'signers', title: 'Signers' },
          { key: 'history', title: 'History' },
        ]}
      >
        {(view) => (
          <>
            {view === 'orders' && <Orders raw={address} />}
            {view === 'signers' && <Members signers={signers} proposers={proposers} />}
            {view === 'history' && <EntityHistory raw={address} />}
          </>
        )}
      </Views>
    </>
  )
}

type MembersProps = { readonly signers: readonly string[]; readonly proposers: readonly string[] }

const Members = ({ signers, proposers }: MembersProps) => (
  <div class="columns is-even">
    <Card title="Signers">
      <MemberList members={signers} />
    </Card>
    <Card title="Proposers">
      {proposers.length === 0 ? (
        <p class="card-text muted">None: only signers create orders.</p>
      ) : (
        <MemberList members={proposers} />
      )}
    </Card>
  </div>
)

const MemberList = ({ members }: { readonly members: readonly string[] }) => (
  <ol class="list">
    {members.map((member) => (
      <li key={member}>
        <AddressLink raw={member} hasCopy hasKind />
      </li>
    ))}
  </ol>
)

const ORDERS_PER_PAGE = 20

const Orders = ({ raw }: { readonly raw: string }) => {
  const pages = usePages(
    `orders of ${raw}`,
    async (cursor, signal) => {
      const more = cursor !== undefined && { cursor }
      const args = { multisig_address: [raw], parse_actions: true, limit: ORDERS_PER_PAGE, ...more }
      const { result, cursor: next } = await callV3('multisig/orders', args, signal)
      return { rows: result.orders, cursor: next }
    },
    { idOf: ({ address }) => address, pollMs: 5 * SECOND },
  )
  return (
    <Paged pages={pages} icon="clock" empty="No orders yet.">
      {(rows) => (
        <ul class="orders">
          {rows.map((order) => (
            <li key={order.address}>
              <OrderCard order={order} />
            </li>
          ))}
        </ul>
      )}
    </Paged>
  )
}

const OrderState = ({ order }: { readonly order: Order }) => {
  if (order.sent_for_execution) return <Badge tone="good">executed</Badge>
  if (1000 * order.expiration_date < Date.now()) return <Badge tone="bad">expired</Badge>
  return <Badge tone="pending">waits for signatures</Badge>
}

/** An order: what it does, and who has signed it. */
const OrderCard = ({ order }: { readonly order: Order }) => (
  <article class="order">
    <header class="order-head">
      <Link to={{ page: 'multisig', key: friendlyOf(order.address) }} class="order-number">
        Order #{order.order_seqno}
      </Link>
      <OrderState order={order} />
      <span class="order-votes">
        {order.approvals_num} of {order.threshold ?? '?'} signatures
      </span>
    </header>
    <OrderActions actions={order.actions} />
  </article>
)

const OrderView = ({ order }: { readonly order: Order }) => (
  <>
    <EntityHead
      raw={order.address}
      kind="Multisig order"
      title={`Order #${order.order_seqno}`}
      name={`#${order.order_seqno}`}
      url={undefined}
      badges={<OrderState order={order} />}
    />
    <Stats
      stats={[
        ['Multisig wallet', <MultisigLink raw={order.multisig_address} />],
        ['Signatures', `${order.approvals_num} of ${order.threshold ?? '?'}`],
        [order.sent_for_execution ? 'Valid until' : 'Expires', <Moment utime={order.expiration_date} />],
      ]}
    />
    <div class="columns is-even">
      <Card title="What it does">
        <div class="order">
          <OrderActions actions={order.actions} />
        </div>
      </Card>
      <Card title="Signers">
        <ol class="list">
          {order.signers.map((signer, index) => (
            <li key={signer}>
              <AddressLink raw={signer} hasCopy />
              {(BigInt(order.approvals_mask) >> BigInt(index)) & 1n ? (
                <Badge tone="good">
                  <Icon name="check" size={12} /> signed
                </Badge>
              ) : (
                <Badge>not signed</Badge>
              )}
            </li>
          ))}
        </ol>
      </Card>
    </div>
    <EntityHistory raw={order.address} />
  </>
)

const MultisigLink = ({ raw }: { readonly raw: string }) => (
  <Link to={{ page: 'multisig', key: friendlyOf(raw) }} class="mono">
    {friendlyOf(raw).slice(0, 6)}…{friendlyOf(raw).slice(-6)}
  </Link>
)
