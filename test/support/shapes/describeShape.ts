import { AugDict } from '../../../src/codec/cell/AugDict.ts'
import { Cell } from '../../../src/codec/cell/Cell.ts'
import { Dict } from '../../../src/codec/cell/Dict.ts'

/** What may stand at each place of a structure: `info.startLt` is a `bigint`, `info.masterRef` is `absent` or an `object`. */
export type Shape = ReadonlyMap<string, ReadonlySet<string>>

/** Collects the shapes of many values of one kind into one. */
export class ShapeCollector {
  private readonly places = new Map<string, Set<string>>()

  get shape(): Shape {
    return this.places
  }

  add(value: unknown, path = ''): void {
    if (value instanceof Dict || value instanceof AugDict) this.addDict(value, path)
    else if (Array.isArray(value)) this.addList(value, path)
    else if (isPlain(value)) this.addObject(value, path)
    else this.note(path, nameOf(value))
  }

  private note(path: string, what: string): void {
    const known = this.places.get(path)
    if (known === undefined) this.places.set(path, new Set([what]))
    else known.add(what)
  }

  private addDict(dict: Dict<unknown, unknown> | AugDict<unknown, unknown, unknown>, path: string): void {
    this.note(path, dict.isEmpty ? 'empty dictionary' : 'dictionary')
    dict.forEach((key: unknown, value: unknown) => {
      this.add(key, `${path}{key}`)
      this.add(value, `${path}{}`)
    })
    if (dict instanceof AugDict) this.add(dict.rootExtra, `${path}{sum}`)
  }

  private addList(list: readonly unknown[], path: string): void {
    this.note(path, list.length === 0 ? 'empty list' : 'list')
    for (const each of list) this.add(each, `${path}[]`)
  }

  /** The alternatives of a union are places of their own. */
  private addObject(object: Readonly<Record<string, unknown>>, path: string): void {
    const { kind, ...rest } = object
    const place = typeof kind === 'string' ? `${path}<${kind}>` : path
    this.note(path, typeof kind === 'string' ? kind : 'object')
    for (const [name, value] of Object.entries(rest)) this.add(value, place === '' ? name : `${place}.${name}`)
  }
}

/** Parts of cells are plain objects as well; they count as one value. */
const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' &&
  value !== null &&
  !(value instanceof Uint8Array) &&
  !(value instanceof Cell) &&
  !('bitStart' in value)

const nameOf = (value: unknown): string => {
  if (value === undefined) return 'absent'
  // Strings are the names of alternatives: the status of an account, a reason.
  if (typeof value === 'string') return `'${value}'`
  if (value instanceof Cell) return 'cell'
  if (value instanceof Uint8Array) return value.length === 32 || value.length === 64 ? `${value.length} bytes` : 'bytes'
  return typeof value === 'object' ? 'slice' : typeof value
}

export const describeShape = (value: unknown): Shape => {
  const collector = new ShapeCollector()
  collector.add(value)
  return collector.shape
}

export type ShapeDifference = {
  /** Of what kind of thing the two shapes are. */
  readonly kind: string
  readonly path: string
  /** What stands there in the recorded network and never in ours. */
  readonly onlyRecorded: readonly string[]
  readonly onlyOwn: readonly string[]
}

/** Shapes of all kinds of things, by the names of the kinds. */
export type Shapes = ReadonlyMap<string, Shape>

/** Where the shapes differ, kind by kind. One that only one side has is a difference at the empty path. */
export const compareAllShapes = (recorded: Shapes, own: Shapes): ShapeDifference[] => {
  const kinds = [...new Set([...recorded.keys(), ...own.keys()])].sort()
  return kinds.flatMap((kind): ShapeDifference[] => {
    const [theirs, ours] = [recorded.get(kind), own.get(kind)]
    if (theirs === undefined) return [{ kind, path: '', onlyRecorded: [], onlyOwn: ['all of it'] }]
    if (ours === undefined) return [{ kind, path: '', onlyRecorded: ['all of it'], onlyOwn: [] }]
    return compareTwo(kind, theirs, ours)
  })
}

const compareTwo = (kind: string, recorded: Shape, own: Shape): ShapeDifference[] => {
  const missing = (here: ReadonlySet<string> | undefined, there: ReadonlySet<string> | undefined): string[] =>
    [...(here ?? [])].filter((what) => there?.has(what) !== true).sort()
  const paths = [...new Set([...recorded.keys(), ...own.keys()])].sort()
  return paths
    .filter((path) => !isBelowMissing(path, recorded, own))
    .map((path) => ({
      kind,
      path,
      onlyRecorded: missing(recorded.get(path), own.get(path)),
      onlyOwn: missing(own.get(path), recorded.get(path)),
    }))
    .filter(({ onlyRecorded, onlyOwn }) => onlyRecorded.length + onlyOwn.length > 0)
}

/** Whatever lies below a place that one side does not have is not worth another line. */
const isBelowMissing = (path: string, recorded: Shape, own: Shape): boolean => {
  if (recorded.has(path) && own.has(path)) return false
  for (let at = path.length - 1; at >= 0; at--) {
    if (!'.<{['.includes(path[at]!)) continue
    const above = path.slice(0, at)
    if (recorded.has(above) || own.has(above)) return lacksSide(above, path, recorded, own)
  }
  return false
}

/** The place above is there on both sides, but not as the thing that holds this path. */
const lacksSide = (above: string, path: string, recorded: Shape, own: Shape): boolean => {
  const holder = recorded.has(path) ? recorded : own
  const other = holder === recorded ? own : recorded
  if (!other.has(above)) return true
  const rest = path.slice(above.length)
  const kind = /^<([^>]+)>/.exec(rest)?.[1]
  if (kind !== undefined) return !other.get(above)!.has(kind)
  if (rest.startsWith('{') && rest !== '{sum}') return !other.get(above)!.has('dictionary')
  if (rest.startsWith('[')) return !other.get(above)!.has('list')
  return !other.get(above)!.has('object')
}

export const formatDifference = ({ kind, path, onlyRecorded, onlyOwn }: ShapeDifference): string => {
  const parts = [
    onlyRecorded.length === 0 ? undefined : `only recorded: ${onlyRecorded.join(', ')}`,
    onlyOwn.length === 0 ? undefined : `only ours: ${onlyOwn.join(', ')}`,
  ]
  return `${kind}${path === '' ? '' : `: ${path}`} (${parts.filter((part) => part !== undefined).join('; ')})`
}
