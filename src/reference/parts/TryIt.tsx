import { useState } from 'preact/hooks'
import { CopyButton } from '../../explorer/parts/basics.tsx'
import type { LiveValues } from '../model/liveValues.ts'
import type { Schemas } from '../model/OpenApi.ts'
import {
  describeType,
  findChoices,
  findExample,
  follow,
  formatValue,
  isList,
  type Parameter,
} from '../model/Operation.ts'
import type { Request, Typed } from '../model/Request.ts'
import { Coloured } from './Coloured.tsx'

/** What came back. */
export type Outcome = {
  readonly status: number
  readonly durationMs: number
  readonly headers: readonly (readonly [string, string])[]
  readonly text: string
}

/** Sends a request of this page to the server that the page is from. */
export const send = async (
  { method, path, headers, body }: Request,
  base: string,
  apiKey: string,
): Promise<Outcome> => {
  const begin = performance.now()
  const response = await fetch(`${base}${path}`, {
    method,
    headers: { ...headers, ...(apiKey !== '' && { 'X-API-Key': apiKey }) },
    ...(body !== undefined && { body }),
  })
  const text = await response.text()
  return {
    status: response.status,
    durationMs: performance.now() - begin,
    headers: [...response.headers].filter(([name]) => shownHeaders.test(name)),
    text,
  }
}

const shownHeaders = /^(x-|ratelimit|retry-after|server-timing)/

/** Longer answers are cut, since a browser takes long to show them. */
const MOST_SHOWN = 200_000
/** Colours take a part of the page each. */
const MOST_COLOURED = 30_000

export const OutcomeView = ({ outcome }: { readonly outcome: Outcome }) => {
  const { status, durationMs, headers, text } = outcome
  const [isRaw, setRaw] = useState(false)
  const shown = isRaw ? text : pretty(text)
  return (
    <section class="ref-outcome" aria-label="Answer" aria-live="polite">
      <p>
        <span class={status < 400 ? 'ref-good' : 'ref-bad'} data-status={status}>
          {status}
        </span>{' '}
        in {durationMs.toFixed(0)} ms, {text.length} characters{' '}
        <button type="button" class="ref-link" onClick={() => setRaw(!isRaw)}>
          {isRaw ? 'indented' : 'as it came'}
        </button>
      </p>
      {headers.length > 0 && (
        <details>
          <summary>Headers</summary>
          <pre>{headers.map(([name, value]) => `${name}: ${value}`).join('\n')}</pre>
        </details>
      )}
      <Json text={shown} />
    </section>
  )
}

/** JSON in colours, to scroll and to copy. */
export const Json = ({ text }: { readonly text: string }) => (
  <div class="ref-with-copy">
    <CopyButton text={text} what="the answer" />
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard */}
    <pre class="ref-answer" tabIndex={0}>
      {text.length > MOST_COLOURED ? text.slice(0, MOST_SHOWN) : <Coloured text={text} />}
      {text.length > MOST_SHOWN && '\n… cut here'}
    </pre>
  </div>
)

/** Indented without being read, so that no digit of a number is lost. */
export const pretty = (text: string): string => {
  let depth = 0
  const line = (): string => `\n${'  '.repeat(depth)}`
  return text.replace(/"(?:[^"\\]|\\.)*"|\[\s*\]|\{\s*\}|[[\]{},:]|\s+/g, (token) => {
    if (token === '{' || token === '[') {
      depth++
      return token + line()
    }
    if (token === '}' || token === ']') {
      depth = Math.max(0, depth - 1)
      return line() + token
    }
    if (token === ',') return token + line()
    if (token === ':') return ': '
    return /^\s+$/.test(token) ? '' : token
  })
}

type FieldsProps = {
  readonly parameters: readonly Parameter[]
  readonly schemas: Schemas
  readonly typed: Typed
  readonly live: LiveValues
  onType(name: string, value: string): void
}

/** What may be given: its description, and where to type it. */
export const ParameterFields = ({ parameters, schemas, typed, live, onType }: FieldsProps) =>
  parameters.length === 0 ? (
    <p class="ref-faint">It takes no parameters.</p>
  ) : (
    <div class="ref-fields">
      {parameters.map((parameter) => (
        <div class="ref-field" key={parameter.name}>
          <label for={idOf(parameter)}>
            <code>{parameter.name}</code>
            {parameter.isRequired && <span class="ref-required"> required</span>}
            {parameter.place === 'header' && <span class="ref-faint"> header</span>}
            <span class="ref-type"> {describeType(parameter.schema, schemas)}</span>
          </label>
          <Field parameter={parameter} schemas={schemas} value={typed[parameter.name] ?? ''} onType={onType} />
          <p class="ref-faint" id={`${idOf(parameter)}-about`}>
            {parameter.description} <Hints parameter={parameter} schemas={schemas} live={live} onType={onType} />
          </p>
        </div>
      ))}
    </div>
  )

const idOf = ({ name }: Parameter): string => `parameter-${name}`

type FieldProps = {
  readonly parameter: Parameter
  readonly schemas: Schemas
  readonly value: string
  onType(name: string, value: string): void
}

const Field = ({ parameter, schemas, value, onType }: FieldProps) => {
  const { name, schema, isRequired } = parameter
  const own = {
    id: idOf(parameter),
    name,
    value,
    required: isRequired,
    'aria-describedby': `${idOf(parameter)}-about`,
    onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      onType(name, currentTarget.value),
  }
  const choices = findChoices(schema, schemas)
  const fallback = follow(schema, schemas).default
  if (choices !== undefined) {
    return (
      <select {...own}>
        <option value="">{fallback === undefined ? 'not given' : `default: ${formatValue(fallback)}`}</option>
        {choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    )
  }
  if (isList(schema, schemas)) return <textarea {...own} rows={2} placeholder="one on each line" spellcheck={false} />
  const placeholder = fallback === undefined ? '' : formatValue(fallback)
  return <input {...own} type="text" placeholder={placeholder} autocomplete="off" spellcheck={false} />
}

const Hints = ({ parameter, schemas, live, onType }: Omit<FieldProps, 'value'> & { readonly live: LiveValues }) => {
  const fallback = follow(parameter.schema, schemas).default
  const example = live[parameter.name] ?? findExample(parameter.schema, schemas)
  return (
    <>
      {fallback !== undefined && <span>Default: {formatValue(fallback)}. </span>}
      {example !== undefined && (
        <button type="button" class="ref-example" onClick={() => onType(parameter.name, example)}>
          use {example}
        </button>
      )}
    </>
  )
}
