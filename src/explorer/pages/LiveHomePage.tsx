import { askV2 } from '../fetch/askV2.ts'
import { useAsk } from '../live/useAsk.ts'
import { SECOND } from '../live/usePolling.ts'
import { groupDigits } from '../model/amounts.ts'
import { hexShard } from '../model/parseSearch.ts'
import { Card } from '../parts/Card.tsx'
import { Facts } from '../parts/Facts.tsx'
import { Hash } from '../parts/Hash.tsx'
import { Failure, Loading } from '../parts/states.tsx'
import { setup } from '../setup.ts'
import { BlockLink } from './BlockLink.tsx'
import { FaucetForm } from './FaucetForm.tsx'

/** What the network says now, where there is no index. */
export const LiveHomePage = () => {
  const { value, error } = useAsk(
    'live head',
    async (signal) => {
      const { last } = await askV2('getMasterchainInfo', {}, signal)
      const { shards } = await askV2('getShards', { seqno: last.seqno }, signal)
      return { last, shards }
    },
    { pollMs: 2 * SECOND },
  )
  return (
    <div class="columns">
      <Card title="The network now">
        {error !== undefined && <Failure error={error} />}
        {value === undefined && error === undefined && <Loading />}
        {value !== undefined && (
          <Facts
            facts={[
              [
                'Newest block',
                <BlockLink
                  id={{ workchain: -1, shard: hexShard(String(value.last.shard)), seqno: value.last.seqno }}
                />,
              ],
              ['Root hash', <Hash hash={value.last.root_hash} what="root hash" />],
              [
                'Shards',
                value.shards.map((block) => (
                  <BlockLink
                    key={String(block.shard)}
                    id={{ workchain: block.workchain, shard: hexShard(String(block.shard)), seqno: block.seqno }}
                  />
                )),
              ],
              ['Blocks so far', groupDigits(value.last.seqno)],
            ]}
          />
        )}
      </Card>
      {setup.hasControls && (
        <Card title="Get coins">
          <FaucetForm />
        </Card>
      )}
    </div>
  )
}
