import type { SourceFile } from './SourceFile.ts'

/** Import cycles, each once, as the files passed through with the first repeated at the end. */
export const findCycles = (sources: readonly SourceFile[]): string[][] => {
  const edges = new Map(
    sources.map(({ path, targets }) => [path, targets.filter(({ kind }) => kind === 'file').map(({ to }) => to)]),
  )
  const done = new Set<string>()
  const cycles: string[][] = []
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path)
    if (start >= 0) {
      cycles.push([...trail.slice(start), path])
      return
    }
    if (done.has(path)) return
    for (const next of new Set(edges.get(path) ?? [])) visit(next, [...trail, path])
    done.add(path)
  }
  for (const { path } of sources) visit(path, [])
  return cycles
}
