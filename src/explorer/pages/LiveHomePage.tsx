import { callV2 } from '../fetch/requests.ts'
import { SECOND, useRequest } from '../live/usePolling.ts'
import { groupDigits } from '../model/format.ts'
import { hexShard } from '../model/parseSearch.ts'
import { Card, Facts, Failure, Loading } from '../parts/basics.tsx'
import { BlockLink, Hash } from '../parts/links.tsx'
import { setup } from '../setup.ts'
import { FaucetForm } from './FaucetPage.tsx'

/** Live home page (without an index). */
export const LiveHomePage = () => {
  const { value, error } = useRequest(
    'live head',
    async (signal) => {
      const { last } = await callV2('getMasterchainInfo', {}, signal)
      const { shards } = await callV2('getShards', { seqno: last.seqno }, signal)
      return { last, shards }
    },
    { pollMs: 2 * SECOND },
  )
  return (
    <div class="columns">
      <Card title="Network">
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
              ['Masterchain seqno', groupDigits(value.last.seqno)],
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
