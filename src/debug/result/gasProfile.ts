import type { FoldedStack, RunSummary, StackFrame } from '../../chain/recording.ts'

/** The name of a frame: that of its method, or where its code begins. */
export const nameFrame = (frame: StackFrame, names: ReadonlyMap<number, string>): string =>
  'method' in frame
    ? (names.get(frame.method) ?? `method_${frame.method}`)
    : `${frame.cell.replace(/[^\w]/g, '').slice(0, 8)}+${frame.offset}`

const MAX_STACKS = 100_000

/** Stacks as flame graph programs read them: a line for each, frames from the outermost, then its gas. */
export const formatFolded = ({ stacks }: Pick<RunSummary, 'stacks'>, names: ReadonlyMap<number, string>): string =>
  stacks
    .slice(0, MAX_STACKS)
    .map(({ frames, gas }) => `${frames.map((frame) => nameFrame(frame, names)).join(';')} ${gas}\n`)
    .join('')

type ProfileNode = { id: number; callFrame: object; hitCount: number; children: number[] }

/** The same as a profile for Chrome's developer tools, with a unit of gas as a microsecond. */
export const formatCpuProfile = (
  { stacks }: Pick<RunSummary, 'stacks'>,
  names: ReadonlyMap<number, string>,
): string => {
  const nodes: ProfileNode[] = []
  const children = new Map<string, number>()
  const add = (parent: number | undefined, name: string): number => {
    const key = `${parent} ${name}`
    const known = children.get(key)
    if (known !== undefined) return known
    const id = nodes.length + 1
    const callFrame = { functionName: name, scriptId: '0', url: '', lineNumber: -1, columnNumber: -1 }
    nodes.push({ id, callFrame, hitCount: 0, children: [] })
    if (parent !== undefined) nodes[parent - 1]!.children.push(id)
    children.set(key, id)
    return id
  }
  const root = add(undefined, '(root)')
  const samples: number[] = []
  const timeDeltas: number[] = []
  const take = ({ frames, gas, steps }: FoldedStack): void => {
    let node = root
    for (const frame of frames) node = add(node, nameFrame(frame, names))
    nodes[node - 1]!.hitCount += steps
    samples.push(node)
    timeDeltas.push(gas)
  }
  for (const stack of stacks.slice(0, MAX_STACKS)) take(stack)
  const endTime = timeDeltas.reduce((sum, gas) => sum + gas, 0)
  // A sample lasts until the next one.
  return JSON.stringify({ nodes, startTime: 0, endTime, samples: [...samples, root], timeDeltas: [0, ...timeDeltas] })
}
