import assert from 'node:assert/strict'

export type ParsedSample = {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** Reads the text form of metrics strictly, as Prometheus does: each family is described once, before its samples, which lie together. */
export const parseMetrics = (
  text: string,
): { readonly types: Map<string, string>; readonly samples: ParsedSample[] } => {
  assert.ok(text.endsWith('\n'), text)
  const types = new Map<string, string>()
  const helped = new Set<string>()
  const samples: ParsedSample[] = []
  let current = ''
  for (const line of text.slice(0, -1).split('\n')) {
    const [, kind, about, rest] = /^# (HELP|TYPE) ([a-z_:][a-z0-9_:]*) (.+)$/.exec(line) ?? []
    if (kind === 'HELP') {
      assert.ok(!helped.has(about!), `${about} is described twice`)
      helped.add(about!)
      current = about!
    } else if (kind === 'TYPE') {
      assert.equal(about, current)
      types.set(about!, rest!)
    } else {
      samples.push(parseSample(line, current, types.get(current)))
    }
  }
  return { types, samples }
}

const parseSample = (line: string, family: string, type: string | undefined): ParsedSample => {
  const [, name, , labelText = '', value] = /^([a-z_:][a-z0-9_:]*)(\{(.*)\})? (\S+)$/.exec(line) ?? []
  assert.ok(name !== undefined, `This is no sample: ${line}`)
  const base = type === 'histogram' ? name.replace(/_(bucket|sum|count)$/, '') : name
  assert.equal(base, family, `${name} is not among its own`)
  const labels: Record<string, string> = {}
  for (const [, label, content] of labelText.matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"(?:,|$)/g))
    labels[label!] = content!
  const number = Number(value)
  assert.ok(Number.isFinite(number), line)
  return { name, labels, value: number }
}
