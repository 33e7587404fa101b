import { existsSync, readFileSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { join } from 'node:path'

/** Places in compiled files that a text names, as those in the sources they were made of. */
export const nameSources = (text: string, tree: string, repository: string): string =>
  text
    .replaceAll(`file://${tree}/`, `${tree}/`)
    .split(`${tree}/`)
    .map((part, k) => (k === 0 ? part : nameFirst(part, tree, repository)))
    .join('')

const PLACE = /^([\w./-]+)\.js(?::(\d+)(?::(\d+))?)?/

const nameFirst = (text: string, tree: string, repository: string): string => {
  const found = PLACE.exec(text)
  if (found === null) return `${tree}/${text}`
  const [whole, path, line, column] = found
  const source = join(repository, `${path}.ts`)
  if (!existsSync(source)) return `${tree}/${text}`
  const place = line === undefined ? '' : findPlace(join(tree, `${path}.js.map`), Number(line), Number(column ?? 1))
  return `${source}${place}${text.slice(whole.length)}`
}

const findPlace = (mapFile: string, line: number, column: number): string => {
  if (!existsSync(mapFile)) return `:${line}:${column}`
  const map = new SourceMap(JSON.parse(readFileSync(mapFile, 'utf8')) as SourceMapPayload)
  const entry = map.findEntry(line - 1, column - 1)
  return 'originalLine' in entry ? `:${entry.originalLine + 1}:${entry.originalColumn + 1}` : `:${line}:${column}`
}
