import { useState } from 'preact/hooks'
import { callV3, type V3Result } from '../fetch/requests.ts'
import { crc16, shorten } from '../model/addresses.ts'
import { Card, CopyButton, Empty } from '../parts/basics.tsx'

// A table of names: contracts carry the numbers of their methods only.
const names = [
  'seqno',
  'get_public_key',
  'get_subwallet_id',
  'get_wallet_id',
  'get_plugin_list',
  'is_plugin_installed',
  'is_signature_allowed',
  'get_extensions',
  'is_signature_auth_allowed',
  'get_jetton_data',
  'get_wallet_address',
  'get_wallet_data',
  'get_status',
  'get_next_admin_address',
  'get_nft_data',
  'get_collection_data',
  'get_nft_address_by_index',
  'get_nft_content',
  'royalty_params',
  'get_editor',
  'get_revoked_time',
  'get_authority_address',
  'dnsresolve',
  'get_domain',
  'get_auction_info',
  'get_last_fill_up_time',
  'get_full_domain',
  'get_sale_data',
  'get_fix_price_data_v4',
  'get_auction_data',
  'get_auction_data_v4',
  'get_multisig_data',
  'get_order_address',
  'get_order_data',
  'get_vesting_data',
  'get_whitelist',
  'is_whitelisted',
  'get_locked_amount',
  'processed?',
  'get_last_clean_time',
  'get_timeout',
  'get_pool_data',
  'get_pool_full_data',
  'get_participant_list',
  'participates_in',
  'participant_list',
  'past_elections',
  'active_election_id',
  'compute_returned_stake',
  'get_past_complaints',
  'get_nominators_data',
  'get_members_raw',
  'get_pool_status',
  'get_channel_data',
  'get_static_data',
  'get_id',
  'get_owner',
  'version',
  'get_version',
  'get_counter',
  'counter',
  'list_proposals',
  'get_proposal',
  'unpack_config',
  'check_validator_signed',
  'get_price',
  'get_data',
  'balance',
] as const

/** Methods that need no arguments, and may be asked at once. */
const withArguments: ReadonlySet<string> = new Set([
  'get_wallet_address',
  'get_nft_address_by_index',
  'get_nft_content',
  'dnsresolve',
  'is_plugin_installed',
  'get_order_address',
  'is_whitelisted',
  'get_locked_amount',
  'processed?',
  'participates_in',
  'compute_returned_stake',
  'get_proposal',
  'check_validator_signed',
])

const byId = new Map(names.map((name) => [(crc16(new TextEncoder().encode(name)) & 0xffff) | 0x10000, name as string]))

// Not methods: what messages, and the clock, set off.
const entries: { readonly [id: number]: string } = {
  0: 'recv_internal',
  [-1]: 'recv_external',
  [-2]: 'run_ticktock',
  524287: 'recv_external',
  524286: 'run_ticktock',
}

type KnownMethod = { readonly id: number; readonly name: string | undefined; readonly canAsk: boolean }

/** The get-methods of a contract; what is no get-method is left out. */
const listMethods = (ids: readonly number[]): KnownMethod[] =>
  ids
    .filter((id) => entries[id] === undefined)
    .map((id) => {
      const name = byId.get(id)
      return { id, name, canAsk: name !== undefined && !withArguments.has(name) }
    })
    .sort((a, b) => Number(b.canAsk) - Number(a.canAsk) || (a.name ?? '~').localeCompare(b.name ?? '~'))

type Entry = V3Result<'runGetMethod'>['stack'][number]

/** A value of a get-method result. */
const StackValue = ({ entry: { type, value } }: { readonly entry: Entry }) => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const shown = type === 'num' ? formatNumber(text) : text
  return (
    <span class="with-copy">
      <span class="muted">{type}</span>
      <span class="mono value">{shorten(shown, 40, 20)}</span>
      <CopyButton text={shown} what="value" />
    </span>
  )
}

const formatNumber = (text: string): string => {
  try {
    const number = text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text)
    return String(number)
  } catch {
    return text
  }
}

/** The get-methods of a contract. Methods without arguments can be run here. */
export const Methods = ({ raw, ids }: { readonly raw: string; readonly ids: readonly number[] }) => {
  const methods = listMethods(ids)
  return (
    <Card>
      {methods.length === 0 && <Empty icon="gauge">No get-methods found in the code.</Empty>}
      <ul class="methods">
        {methods.map((method) => (
          <Method key={method.id} raw={raw} method={method} />
        ))}
      </ul>
    </Card>
  )
}

type Run = V3Result<'runGetMethod'>

const Method = ({ raw, method: { id, name, canAsk } }: { readonly raw: string; readonly method: KnownMethod }) => {
  const [run, setRun] = useState<Run>()
  const [error, setError] = useState<Error>()
  const ask = async (): Promise<void> => {
    try {
      setRun((await callV3('runGetMethod', { address: raw, method: name!, stack: [] })).result)
      setError(undefined)
    } catch (failure) {
      setError(failure as Error)
    }
  }
  return (
    <li class="method">
      <span class="method-name mono">{name ?? <span class="muted">unknown name</span>}</span>
      <span class="method-id mono muted">{id}</span>
      {canAsk ? (
        <button type="button" class="button is-small" onClick={() => void ask()}>
          Run
        </button>
      ) : (
        <span class="muted small">{name === undefined ? '' : 'takes arguments'}</span>
      )}
      {error !== undefined && <span class="method-result bad">{error.message}</span>}
      {run !== undefined && (
        <div class="method-result">
          {Number(run.exit_code) > 1 && <p class="bad">Exit code {String(run.exit_code)}</p>}
          {run.stack.length === 0 && <p class="muted">empty stack</p>}
          <ol class="stack-values">
            {run.stack.map((entry, index) => (
              <li key={`${index} ${entry.type}`}>
                <StackValue entry={entry} />
              </li>
            ))}
          </ol>
        </div>
      )}
    </li>
  )
}
