import { callControls } from '../fetch/requests.ts'
import { SECOND, useRequest, useSending } from '../live/usePolling.ts'
import { findRawAddress, hashToHex } from '../model/addresses.ts'
import { findAmount, formatTime, groupDigits } from '../model/format.ts'
import { Card, Facts, Failure, Loading } from '../parts/basics.tsx'
import { goTo } from '../route/Link.tsx'
import { setup } from '../setup.ts'

/** Requests coins from the faucet, and opens the trace. */
export const FaucetForm = ({ to = '' }: { readonly to?: string | undefined }) => {
  const { submit, isSending, error } = useSending(async (read) => {
    const [address, amount] = [findRawAddress(read('address')), findAmount(read('amount'))]
    if (address === undefined) throw new Error('Not a valid address: expected EQ…, UQ… or 0:….')
    if (amount === undefined || amount === 0n) throw new Error('Not a valid amount: expected a decimal number above 0.')
    const { message_hash: hash } = await callControls('faucet', { address, amount: String(amount) })
    goTo({ page: 'trace', hash: hashToHex(hash), isSent: true })
  })
  return (
    <form class="form" onSubmit={submit}>
      <label>
        <span>To</span>
        <input
          name="address"
          class="mono"
          required
          autocomplete="off"
          spellcheck={false}
          placeholder="EQ… or 0:…"
          defaultValue={to}
        />
      </label>
      <div class="form-row">
        <label>
          <span>Amount in {setup.unit}</span>
          <input name="amount" inputMode="decimal" required autocomplete="off" defaultValue="10" />
        </label>
        <button type="submit" class="button is-main" disabled={isSending}>
          {isSending ? 'Sending…' : 'Send coins'}
        </button>
      </div>
      {error !== undefined && <Failure error={error} />}
    </form>
  )
}

export const FaucetPage = ({ to }: { readonly to: string | undefined }) => (
  <div class="narrow stack">
    <header class="page-head">
      <h1>Faucet</h1>
      <p class="lead">Test coins of the embedded network.</p>
    </header>
    <Card>
      <FaucetForm to={to} />
    </Card>
    <NetworkStatus />
  </div>
)

const NetworkStatus = () => {
  const { value, error } = useRequest('status', (signal) => callControls('status', {}, signal), { pollMs: SECOND })
  return (
    <Card title="Network">
      {error !== undefined && <Failure error={error} />}
      {value === undefined && error === undefined && <Loading />}
      {value !== undefined && (
        <Facts
          facts={[
            ['Newest block', groupDigits(value.head.seqno)],
            ['Its time', `${formatTime(value.utime)}${describeOffset(value.clock_offset)}`],
            ['Blocks', describeMining(value.mining)],
            ['Shards', String(value.shards.length)],
            ['Messages waiting', String(value.waiting_messages)],
          ]}
        />
      )}
    </Card>
  )
}

const describeOffset = (seconds: number): string =>
  seconds === 0 ? '' : `, ${groupDigits(seconds)} s ahead of this machine`

type Mining = Awaited<ReturnType<typeof callControls<'status'>>>['mining']

const describeMining = (mining: Mining): string => {
  if (mining.mode === 'instant') return 'instant (as soon as there are messages)'
  if (mining.mode === 'manual') return 'manual'
  return `one every ${mining.interval_ms / 1000} s${mining.empty_blocks ? '' : ', if there are messages'}`
}
