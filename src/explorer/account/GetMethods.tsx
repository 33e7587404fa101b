import { useState } from 'preact/hooks'
import { callV3, type V3Result } from '../fetch/requests.ts'
import { shorten } from '../model/addresses.ts'
import { findMethodName, isEntry } from '../model/methods.ts'
import { Card, CopyButton, Empty } from '../parts/basics.tsx'

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

type KnownMethod = { readonly id: number; readonly name: string | undefined; readonly canAsk: boolean }

/** The get-methods of a contract; what is no get-method is left out. */
const listMethods = (ids: readonly number[]): KnownMethod[] =>
  ids
    .filter((id) => !isEntry(id))
    .map((id) => {
      const name = findMethodName(id)
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
