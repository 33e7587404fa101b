import { useState } from 'preact/hooks'
import { askV3, type V3Result } from '../fetch/askV3.ts'
import { type KnownMethod, listMethods } from '../model/methodNames.ts'
import { Card } from '../parts/Card.tsx'
import { Empty } from '../parts/states.tsx'
import { StackValue } from './StackValue.tsx'

/** The get-methods of a contract. Those that need no arguments can be asked here. */
export const Methods = ({ raw, ids }: { readonly raw: string; readonly ids: readonly number[] }) => {
  const methods = listMethods(ids)
  return (
    <Card>
      {methods.length === 0 && (
        <Empty icon="gauge">This account has no get-methods that can be seen in its code.</Empty>
      )}
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
      setRun((await askV3('runGetMethod', { address: raw, method: name!, stack: [] })).result)
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
          {run.stack.length === 0 && <p class="muted">an empty stack</p>}
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
