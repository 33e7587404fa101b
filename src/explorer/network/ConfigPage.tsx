import type { ComponentChildren } from 'preact'
import type { V2Result } from '../fetch/requests.ts'
import { shorten } from '../model/addresses.ts'
import { formatTime, groupDigits } from '../model/format.ts'
import { Amount } from '../parts/Amount.tsx'
import { Card, CopyButton, Facts } from '../parts/basics.tsx'
import { AddressLink } from '../parts/links.tsx'
import { labelOf, paramWords, type Topic, topics, type Unit, unitOf } from './configWords.ts'
import { formatSpan } from './formatSpan.ts'

export type ConfigParam = V2Result<'getConfigParams'>['params'][number]
type Value = ConfigParam['decoded']

/** All parameters of the network, by topic, in words. */
export const ConfigPage = ({ params }: { readonly params: readonly ConfigParam[] }) => {
  const listed = new Set(topics.flatMap(({ ids }) => ids))
  const rest: Topic = { title: 'Other', ids: params.map(({ id }) => id).filter((id) => !listed.has(id)) }
  const byId = new Map(params.map((param) => [param.id, param]))
  return (
    <>
      {[...topics, rest].map(({ title, ids }) => {
        const found = ids.flatMap((id) => byId.get(id) ?? [])
        if (found.length === 0) return null
        return (
          <Card key={title} title={title}>
            {found.map((param) => (
              <Param key={param.id} param={param} />
            ))}
          </Card>
        )
      })}
    </>
  )
}

/** Long ones are folded. */
const MAX_LINES = 14

const Param = ({ param: { id, name, decoded: value, bytes } }: { readonly param: ConfigParam }) => {
  const words = paramWords[id]
  const title = words?.title ?? (name === null ? `Parameter ${id}` : labelOf(name))
  return (
    <details class="param" id={`param-${id}`} open={countLines(value) <= MAX_LINES}>
      <summary>
        <span class="param-id mono">{id}</span>
        <span class="param-title">{title}</span>
        <span class="param-note">{words?.note}</span>
      </summary>
      <div class="param-value">
        {value === null ? (
          <p class="card-text muted">
            Its layout is not known here.{' '}
            <span class="with-copy">
              <span class="mono">{shorten(bytes, 24, 12)}</span>
              <CopyButton text={bytes} what="cell in base64" />
            </span>
          </p>
        ) : (
          <Shown id={id} field={undefined} value={value} />
        )}
      </div>
    </details>
  )
}

const countLines = (value: Value): number => {
  // A set is written in a line.
  if (isSet(value)) return 1
  if (Array.isArray(value)) return value.reduce((sum: number, each) => sum + countLines(each), 0)
  if (typeof value === 'object' && value !== null) {
    return Object.values(value).reduce((sum: number, each) => sum + countLines(each), 0)
  }
  return 1
}

type ShownProps = { readonly id: number; readonly field: string | undefined; readonly value: Value }

const isRecord = (value: Value): value is { readonly [name: string]: Value } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A dictionary whose keys say all. */
const isSet = (value: Value): boolean =>
  Array.isArray(value) &&
  value.every((each: Value) => isRecord(each) && each['value'] === true && !isRecord(each['key']!))

const Shown = ({ id, field, value }: ShownProps) => {
  if (Array.isArray(value)) return <Entries id={id} entries={value} />
  if (!isRecord(value)) {
    return (
      <p class="card-text">
        <Scalar unit={unitOf(id, field)} value={value} />
      </p>
    )
  }
  const simple = Object.entries(value).filter(([, each]) => each !== null && typeof each !== 'object')
  const nested = Object.entries(value).filter(([, each]) => each !== null && typeof each === 'object')
  return (
    <>
      <Facts
        facts={simple.map(([name, each]) => [labelOf(name), <Scalar unit={unitOf(id, name)} value={each} />] as const)}
      />
      {nested.map(([name, each]) => (
        <section key={name} class="param-part">
          <h3>{labelOf(name)}</h3>
          <Shown id={id} field={name} value={each} />
        </section>
      ))}
    </>
  )
}

/** A dictionary: of a set, the keys alone. */
const Entries = ({ id, entries }: { readonly id: number; readonly entries: readonly Value[] }) => {
  const pairs = entries.filter(isRecord)
  if (pairs.length === 0) return <p class="card-text muted">None.</p>
  if (pairs.every(({ value }) => value === true)) {
    return (
      <ul class="param-keys">
        {pairs.map(({ key }) => (
          <li key={JSON.stringify(key)}>
            {isRecord(key!) ? (
              <Shown id={id} field="key" value={key} />
            ) : (
              <Scalar unit={unitOf(id, 'key')} value={key!} />
            )}
          </li>
        ))}
      </ul>
    )
  }
  return (
    <>
      {pairs.map(({ key, value }) => (
        <section key={JSON.stringify(key)} class="param-part">
          <h3>
            <Scalar unit={unitOf(id, 'key')} value={key!} />
          </h3>
          <Shown id={id} field={undefined} value={value!} />
        </section>
      ))}
    </>
  )
}

const FRACTION = 65_536

const Scalar = ({ unit, value }: { readonly unit: Unit; readonly value: Value }) => {
  const text = String(value)
  const isNumber = /^-?\d+$/.test(text)
  if (typeof value === 'boolean') return <>{value ? 'yes' : 'no'}</>
  if (unit === 'account' && /^[0-9a-f]{64}$/.test(text)) return <AddressLink raw={`-1:${text.toUpperCase()}`} hasCopy />
  if (!isNumber) return <Bytes text={text} />
  return <>{formats[unit](text)}</>
}

const formats: { readonly [unit in Unit]: (text: string) => ComponentChildren } = {
  coins: (text) => <Amount value={text} />,
  gasPrice: (text) => <span title={`${groupDigits(text)} / 65,536`}>{trim(Number(text) / FRACTION)} nanocoins</span>,
  seconds: (text) => `${formatSpan(Number(text))}`,
  ms: (text) => `${groupDigits(text)} ms`,
  time: (text) => (text === '0' ? 'always' : formatTime(Number(text))),
  factor: (text) => `× ${trim(Number(text) / FRACTION)}`,
  share: (text) => `${trim((100 * Number(text)) / FRACTION)} %`,
  account: (text) => groupDigits(text),
  plain: (text) => <span class="mono">{groupDigits(text)}</span>,
}

const trim = (value: number): string => String(Math.round(value * 1000) / 1000)

const Bytes = ({ text }: { readonly text: string }) => (
  <span class="with-copy">
    <span class="mono">{shorten(text, 12, 8)}</span>
    {text.length > 21 && <CopyButton text={text} what="value" />}
  </span>
)
