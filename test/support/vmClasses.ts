import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { VmOracle } from './vmOracles.ts'
import { type Difference, type Program, type Reduced, Reducer, toRequest } from './vmReducer.ts'
import { compareReply, type VmReply, type VmRequest, VmRequests } from './vmRequests.ts'
import { listInstructions } from './vmShrink.ts'

/**
 * Whom the judge agrees with; `open` where it has no answer, or does not know the rules; `source` where somebody has then read the source
 * of the reference and written the verdict into the file.
 */
export type Verdict = 'ours' | 'theirs' | 'neither' | 'open' | 'source'

/** Differences that came down to the same: a line of the file that a campaign writes. */
export type DifferenceClass = {
  /** What is left of the code, by the names of its instructions. */
  readonly instructions: string
  /** Global versions by which the machines differ. */
  readonly versions: string
  readonly fields: readonly string[]
  /** Exit codes of ours and of the other machine. */
  readonly exitCodes: readonly unknown[]
  readonly verdict: Verdict
  /** How many differences came down to it. */
  readonly count: number
  /** The smallest case, as the judge was asked where it was. It expects what the judge answered, without one what our machine does. */
  readonly request: VmRequest
  readonly theirs: VmReply
}

const NEWEST = 15
/** The emulator was built with these rules. */
const NEWEST_JUDGED = 13

/** Reduces differences, names them by what is left, has them judged and counts them. */
export class DifferenceClasses {
  readonly counts = { reduced: 0, calls: 0 }
  /** Runs that do not differ in the form in which they are made smaller. */
  readonly unreduced: VmRequest[] = []
  private readonly classes = new Map<string, DifferenceClass>()
  private readonly reducer: Reducer
  private readonly judge: VmOracle | undefined
  private readonly judging = new VmRequests()
  private turn: Promise<unknown> = Promise.resolve()

  constructor(oracle: VmOracle, judge: VmOracle | undefined) {
    this.reducer = new Reducer(oracle)
    this.judge = judge
  }

  get all(): readonly DifferenceClass[] {
    return [...this.classes.values()].toSorted((a, b) => b.count - a.count)
  }

  /** Several at a time: the other machine is never idle. */
  async add(requests: readonly VmRequest[]): Promise<void> {
    await Promise.all(requests.map((request) => this.addOne(request)))
  }

  private async addOne(request: VmRequest): Promise<void> {
    const reduced = await this.reducer.reduce(request)
    if (reduced === undefined) {
      this.unreduced.push(request)
      return
    }
    this.counts.reduced++
    this.counts.calls += reduced.calls
    const versions = await this.versionsOf(reduced)
    const { program, difference } = reduced
    const named = {
      instructions: nameOf(program),
      versions: describeVersions(versions),
      fields: tellingFields(difference),
      exitCodes: [difference.ours['exitCode'], difference.theirs['exitCode']],
    }
    this.merge({ ...named, ...(await this.judgeOne(reduced, versions)), count: 1 })
  }

  /** The versions by which the machines differ in this way. */
  private async versionsOf({ program, difference }: Reduced): Promise<number[]> {
    const programs = Array.from({ length: NEWEST + 1 }, (_, version) => ({ ...program, version }))
    this.counts.calls += programs.length
    const found = await this.reducer.compare(programs)
    return found.flatMap((each, version) => (each !== undefined && areAlike(each, difference) ? [version] : []))
  }

  private async judgeOne(
    { program, difference }: Reduced,
    versions: readonly number[],
  ): Promise<Pick<DifferenceClass, 'verdict' | 'request' | 'theirs'>> {
    const { ours, theirs } = difference
    const unjudged = { verdict: 'open', request: { ...toRequest(program), expect: ours }, theirs } as const
    const version = versions.findLast((each) => each <= NEWEST_JUDGED)
    if (this.judge === undefined || version === undefined) return unjudged
    // The judge runs get-methods only. The machines must differ there as well.
    const asked = { ...program, version, hasContext: true }
    const [again] = await this.reducer.compare([asked])
    if (again === undefined || again.fields.every((name) => !JUDGED_FIELDS.has(name))) return unjudged
    const request = toRequest(asked)
    const [answer] = await this.inTurn(() => this.judge!.answer([request]))
    if (answer === undefined) return unjudged
    const isOurs = compareReply(this.judging.run(request), answer).length === 0
    const isTheirs = compareReply(again.theirs, answer).length === 0
    const verdict = isOurs ? 'ours' : isTheirs ? 'theirs' : 'neither'
    return { verdict, request: { ...request, expect: answer }, theirs: again.theirs }
  }

  /** The emulator answers one after another. */
  private inTurn<T>(ask: () => Promise<T>): Promise<T> {
    const answer = this.turn.then(ask)
    this.turn = answer.catch(() => undefined)
    return answer
  }

  private merge(added: DifferenceClass): void {
    const { instructions, versions, fields, exitCodes, verdict } = added
    const isUnjudged = verdict === 'open' || verdict === 'source'
    const key = JSON.stringify([instructions, versions, fields, exitCodes, isUnjudged ? 'open' : verdict])
    const known = this.classes.get(key)
    const isSmaller = known === undefined || (known.verdict !== 'source' && sizeOf(added) < sizeOf(known))
    this.classes.set(key, { ...(isSmaller ? added : known), count: (known?.count ?? 0) + added.count })
  }

  /** Goes on with what a campaign before has written. */
  read(path: string): void {
    if (existsSync(path)) for (const each of readClasses(path)) this.merge(each)
  }

  write(path: string): void {
    const text = this.all.map((each) => `${JSON.stringify(each)}\n`).join('')
    writeFileSync(path, path.endsWith('.gz') ? gzipSync(text, { level: 9 }) : text)
  }
}

export const readClasses = (path: string): DifferenceClass[] => {
  const bytes = readFileSync(path)
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as DifferenceClass]))
}

/** What the judge tells about a run. */
const JUDGED_FIELDS = new Set(['exitCode', 'gasUsed', 'stackText'])

/** From another exit code all the rest follows. */
const tellingFields = ({ fields }: Difference): readonly string[] =>
  fields.includes('exitCode') ? ['exitCode'] : fields

const areAlike = (a: Difference, b: Difference): boolean =>
  tellingFields(a).join() === tellingFields(b).join() &&
  a.ours['exitCode'] === b.ours['exitCode'] &&
  a.theirs['exitCode'] === b.theirs['exitCode']

const sizeOf = ({ request: { code = '', stack = '' } }: DifferenceClass): number => code.length + stack.length

const nameOf = ({ code, version }: Program): string => {
  const names = listInstructions(code, version).map(({ name }) => name)
  const unread = code.isExotic ? ['exotic cell'] : []
  return [...names, ...unread].join(' ') || 'no instruction'
}

/** `0–3, 7, 9–15`. */
const describeVersions = (versions: readonly number[]): string => {
  const ranges: string[] = []
  for (let k = 0; k < versions.length; ) {
    let end = k
    while (versions[end + 1] === versions[end]! + 1) end++
    ranges.push(end === k ? `${versions[k]}` : `${versions[k]}–${versions[end]}`)
    k = end + 1
  }
  return ranges.join(', ')
}
