import type { V3Result } from '../fetch/askV3.ts'
import { formatFriendly } from '../model/Address.ts'
import { groupDigits } from '../model/amounts.ts'
import { hashToHex, shorten } from '../model/Hash.ts'
import { Card } from '../parts/Card.tsx'
import { CopyButton } from '../parts/CopyButton.tsx'
import { Facts } from '../parts/Facts.tsx'
import { Hash } from '../parts/Hash.tsx'

type State = V3Result<'accountStates'>['accounts'][number]

/** Every form of the address, and what can be said of the contract without asking it. */
export const AccountFacts = ({ raw, state }: { readonly raw: string; readonly state: State | undefined }) => (
  <Card>
    <div class="facts-pair">
      <Facts
        facts={[
          ['Bounceable', <Form text={formatFriendly(raw, { bounceable: true })} />],
          ['Non-bounceable', <Form text={formatFriendly(raw, { bounceable: false })} />],
          ['Raw', <Form text={raw.toLowerCase()} />],
          ['Workchain', raw.startsWith('-1:') ? 'masterchain' : raw.startsWith('0:') ? 'basechain' : raw.split(':')[0]],
        ]}
      />
      <Facts
        facts={[
          ['Code', <MaybeHash hash={state?.code_hash} what="hash of the code" />],
          ['Data', <MaybeHash hash={state?.data_hash} what="hash of the data" />],
          state?.frozen_hash !== undefined && [
            'Frozen',
            <Hash hash={state.frozen_hash} what="hash of the frozen state" />,
          ],
          [
            'Last transaction',
            state === undefined ? (
              <span class="muted">none</span>
            ) : (
              <Hash
                hash={state.last_transaction_hash}
                what="hash of the last transaction"
                to={{ page: 'transaction', hash: hashToHex(state.last_transaction_hash) }}
              />
            ),
          ],
          [
            'Its logical time',
            <span class="mono">{state === undefined ? '–' : groupDigits(state.last_transaction_lt)}</span>,
          ],
        ]}
      />
    </div>
  </Card>
)

const Form = ({ text }: { readonly text: string }) => (
  <span class="with-copy">
    <span class="mono" title={text}>
      {shorten(text, 10, 8)}
    </span>
    <CopyButton text={text} what="address in this form" />
  </span>
)

const MaybeHash = ({ hash, what }: { readonly hash: string | undefined; readonly what: string }) =>
  hash === undefined ? <span class="muted">none</span> : <Hash hash={hash} what={what} />
