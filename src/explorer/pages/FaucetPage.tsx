import { askControls } from '../fetch/askControls.ts'
import { useAsk } from '../live/useAsk.ts'
import { SECOND } from '../live/usePolling.ts'
import { groupDigits } from '../model/amounts.ts'
import { formatTime } from '../model/times.ts'
import { Card } from '../parts/Card.tsx'
import { Facts } from '../parts/Facts.tsx'
import { Failure, Loading } from '../parts/states.tsx'
import { FaucetForm } from './FaucetForm.tsx'

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
