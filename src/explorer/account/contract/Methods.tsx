import type { TargetedSubmitEvent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { callV3, type V3Result } from '../../fetch/requests.ts'
import { formatCall, type MethodCall, parseCall, toStackArgument } from '../../model/getMethodCall.ts'
import {
  findSignature,
  isEntry,
  type MethodSignature,
  type MethodValue,
  methodIdOf,
  nameMethod,
  type ValueKind,
} from '../../model/methods.ts'
import { explainExit } from '../../model/transactions.ts'
import { Card, Empty, Failure } from '../../parts/basics.tsx'
import { useQuery } from '../../route/Link.tsx'
import { StackValues } from './StackValue.tsx'

type Run = V3Result<'runGetMethod'>

/** By name, or by number. */
const idOf = (method: string): number => (/^-?\d{1,10}$/.test(method) ? Number(method) : methodIdOf(method))

type Calling = {
  readonly run: Run | undefined
  readonly error: Error | undefined
  readonly isRunning: boolean
  call(text: string): void
}

/** Runs get-methods of a contract; the last call is in the address bar. */
const useCalls = (raw: string): Calling => {
  const [, setQuery] = useQuery()
  const [state, setState] = useState<Omit<Calling, 'call'>>({ run: undefined, error: undefined, isRunning: false })
  const call = async (text: string): Promise<void> => {
    setState((before) => ({ ...before, isRunning: true }))
    try {
      const { method, args } = parseCall(text)
      const kinds = findSignature(idOf(method))?.args
      const stack = args.map((arg, index) => toStackArgument(arg, kinds?.[index]?.kind))
      setQuery({ call: text }, 'replace')
      const { result } = await callV3('runGetMethod', { address: raw, method, stack })
      setState({ run: result, error: undefined, isRunning: false })
    } catch (error) {
      setState({ run: undefined, error: error as Error, isRunning: false })
    }
  }
  return { ...state, call: (text) => void call(text) }
}

/** The call of the address bar when the page is opened. */
const findGivenCall = (): MethodCall | undefined => {
  try {
    return parseCall(new URLSearchParams(location.search).get('call') ?? '')
  } catch {
    return undefined
  }
}

/** The get-methods of a contract, and a line to call any by name or number. */
export const Methods = ({ raw, ids }: { readonly raw: string; readonly ids: readonly number[] | null }) => {
  const [given] = useState(findGivenCall)
  const known = (ids ?? []).filter((id) => !isEntry(id)).sort(byName)
  const isListed = given !== undefined && known.includes(idOf(given.method))
  return (
    <Card>
      <AnyMethod raw={raw} given={isListed ? undefined : given} />
      {known.length === 0 && (
        <Empty icon="gauge">The code has no list of methods. Wallets answer to seqno and get_public_key.</Empty>
      )}
      <ul class="methods">
        {known.map((id) => (
          <Method
            key={id}
            raw={raw}
            id={id}
            given={given !== undefined && idOf(given.method) === id ? given : undefined}
          />
        ))}
      </ul>
    </Card>
  )
}

/** Known names first, and of those the ones without arguments. */
const byName = (a: number, b: number): number => rankOf(a) - rankOf(b) || nameMethod(a).localeCompare(nameMethod(b))

const rankOf = (id: number): number => {
  const signature = findSignature(id)
  return signature === undefined ? 2 : signature.args?.length === 0 ? 0 : 1
}

type AnyProps = { readonly raw: string; readonly given: MethodCall | undefined }

const AnyMethod = ({ raw, given }: AnyProps) => {
  const [text, setText] = useState(given === undefined ? '' : formatCall(given))
  const [ran, setRan] = useState<string>()
  const { call, ...calling } = useCalls(raw)
  const run = (asked: string): void => {
    setRan(asked)
    call(asked)
  }
  useEffect(() => {
    if (given !== undefined) run(formatCall(given))
  }, [])
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    run(text)
  }
  return (
    <form class="call-any" onSubmit={submit}>
      <label>
        <span class="label">Call any get-method, by name or number</span>
        <input
          name="call"
          class="mono"
          value={text}
          spellcheck={false}
          autocomplete="off"
          placeholder={'get_wallet_address(EQ…)  ·  85143  ·  dnsresolve("alice", 0)'}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <button type="submit" class="button" disabled={calling.isRunning || text.trim() === ''}>
        Run
      </button>
      <p class="muted small hint">Arguments: numbers, addresses, "text", bags of cells (cell:… or slice:…).</p>
      <Outcome {...calling} signature={signatureOf(ran)} />
    </form>
  )
}

const signatureOf = (call: string | undefined): MethodSignature | undefined => {
  try {
    return call === undefined ? undefined : findSignature(idOf(parseCall(call).method))
  } catch {
    return undefined
  }
}

type MethodProps = { readonly raw: string; readonly id: number; readonly given: MethodCall | undefined }

const Method = ({ raw, id, given }: MethodProps) => {
  const signature = findSignature(id)
  const { call, ...calling } = useCalls(raw)
  useEffect(() => {
    if (given !== undefined) call(formatCall(given))
  }, [])
  const args = signature?.args ?? []
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const values = args.map((arg, index) => quote(String(fields.get(`arg${index}`) ?? '').trim(), arg.kind))
    // Arguments at the end may be left out: versions of a contract take different numbers of them.
    while (values.at(-1) === '') values.pop()
    call(formatCall({ method: signature?.name ?? String(id), args: values }))
  }
  return (
    <li class="method">
      <form class="method-form" onSubmit={submit}>
        <span class="method-name mono">
          {signature?.name ?? <span class="muted">unknown name</span>}
          <span class="method-id muted">{id}</span>
        </span>
        <button type="submit" class="button is-small" disabled={calling.isRunning}>
          Run
        </button>
        {args.length > 0 && (
          <div class="method-args">
            {args.map((arg, index) => (
              <Argument key={arg.name} arg={arg} name={`arg${index}`} value={given?.args[index]} />
            ))}
          </div>
        )}
      </form>
      <Outcome {...calling} signature={signature} />
    </li>
  )
}

/** Text goes in quotes: it may have spaces and commas. */
const quote = (text: string, kind: ValueKind): string =>
  (kind === 'text' || kind === 'domain') && !text.startsWith('"') ? `"${text}"` : text

const hints: { readonly [K in ValueKind]?: string } = {
  address: 'address',
  int: 'number',
  cell: 'BOC',
  domain: 'name of a subdomain',
  text: 'text',
}

type ArgumentProps = { readonly arg: MethodValue; readonly name: string; readonly value: string | undefined }

const Argument = ({ arg, name, value }: ArgumentProps) => (
  <label>
    <span class="label">{arg.name.replaceAll('_', ' ')}</span>
    <input
      name={name}
      class="mono"
      defaultValue={value}
      placeholder={hints[arg.kind]}
      spellcheck={false}
      autocomplete="off"
    />
  </label>
)

type OutcomeProps = Omit<Calling, 'call'> & { readonly signature: MethodSignature | undefined }

const Outcome = ({ run, error, signature }: OutcomeProps) => {
  if (error !== undefined) return <Failure error={error} />
  if (run === undefined) return null
  const code = Number(run.exit_code)
  const hasFailed = code !== 0 && code !== 1
  return (
    <div class="method-result" role="status">
      {hasFailed && (
        <p class="bad">
          Exit code {code}: {explainExit(code)}.
        </p>
      )}
      {!hasFailed && <StackValues stack={run.stack} results={signature?.results} />}
      <p class="muted small">{run.gas_used} gas</p>
    </div>
  )
}
