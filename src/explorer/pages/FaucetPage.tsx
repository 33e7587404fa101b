import { askControls } from '../fetch/requests.ts'
import { SECOND, useAsk, useSending } from '../live/usePolling.ts'
import { findRawAddress, hashToHex } from '../model/addresses.ts'
import { findAmount, formatTime, groupDigits } from '../model/format.ts'
import { Card, Facts, Failure, Loading } from '../parts/basics.tsx'
import { goTo } from '../route/Link.tsx'
import { setup } from '../setup.ts'

/** Asks the faucet for coins, and goes to the trace of what it sent. */
export const FaucetForm = ({ to = '' }: { readonly to?: string | undefined }) => {
  const { submit, isSending, error } = useSending(async (read) => {
    const [address, amount] = [findRawAddress(read('address')), findAmount(read('amount'))]
    if (address === undefined) throw new Error('That is no address: one begins with EQ or UQ, or is like 0:….')
    if (amount === undefined || amount === 0n) throw new Error('That is no amount.')
    const { message_hash: hash } = await askControls('faucet', { address, amount: String(amount) })
    goTo({ page: 'trace', hash: hashToHex(hash) })
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
      <p class="lead">This is an embedded network: its coins are worth nothing, and there are plenty. Take some.</p>
    </header>
    <Card>
      <FaucetForm to={to} />
    </Card>
    <NetworkStatus />
  </div>
)

const NetworkStatus = () => {
  const { value, error } = useAsk('status', (signal) => askControls('status', {}, signal), { pollMs: SECOND })
  return (
    <Card title="The network">
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

type Mining = Awaited<ReturnType<typeof askControls<'status'>>>['mining']

const describeMining = (mining: Mining): string => {
  if (mining.mode === 'instant') return 'as soon as there is something to do'
  if (mining.mode === 'manual') return 'only when told to'
  return `one every ${mining.interval_ms / 1000} s${mining.empty_blocks ? '' : ', where there is something to put into it'}`
}
