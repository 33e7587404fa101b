import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'
import { CodedError } from '../../primitives/errors.ts'

/** A file of an archive is missing, damaged, or not of this index. */
export class ArchiveError extends CodedError {
  readonly code = 'archive_invalid'
}

const Hex = Type.String({ pattern: '^([0-9a-f]{2})*$' })
const Count = Type.Integer({ minimum: 0 })

const FileEntry = Type.Object({
  name: Type.String({ pattern: '^[a-z_]+\\.[0-9]+\\.parquet$' }),
  bytes: Count,
  sha256: Hex,
})

const TableEntry = Type.Object({
  table: Type.String(),
  rows: Count,
  /** Sum over the rows as the server writes them; it does not depend on their order. */
  fingerprint: Type.String({ pattern: '^-?[0-9]+$' }),
  files: Type.Array(FileEntry),
})

const Manifest = Type.Object({
  format: Type.Literal('chaincenter-archive-1'),
  /** Hash of the state that the chain begins with. */
  zeroState: Hex,
  /** Number of migrations of the database. */
  schema: Count,
  /** First masterchain block of the partition, and the first after it. */
  start: Count,
  end: Count,
  /** What the index had when it was exported: its lowest block, the blocks below that, and what retention had dropped before. */
  first: Count,
  lowerEdge: Type.Array(Hex),
  retainedFrom: Count,
  isComplete: Type.Boolean(),
  tables: Type.Array(TableEntry),
})

export type FileEntry = Static<typeof FileEntry>
export type TableEntry = Static<typeof TableEntry>
export type Manifest = Static<typeof Manifest>

const NAME = 'manifest.json'

export const partitionFolder = (folder: string, start: number): string => join(folder, String(start))

/** The manifest of a partition, or `undefined` if there is none. */
export const findManifest = (folder: string): Manifest | undefined => {
  const path = join(folder, NAME)
  if (!existsSync(path)) return undefined
  const damaged = (cause?: unknown): ArchiveError => new ArchiveError(`${path} is damaged.`, { cause })
  let manifest: unknown
  try {
    manifest = JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw damaged(cause)
  }
  if (!Check(Manifest, manifest)) throw damaged()
  return manifest
}

/** Appears complete or not at all. */
export const writeManifest = (folder: string, manifest: Manifest): void => {
  const path = join(folder, NAME)
  writeFileSync(`${path}.part`, `${JSON.stringify(manifest, undefined, 1)}\n`)
  renameSync(`${path}.part`, path)
}

/** The partitions of an archive that are complete, the newest first. */
export const listManifests = (folder: string): readonly Manifest[] => {
  if (!existsSync(folder)) throw new ArchiveError(`There is no folder ${folder}.`)
  return readdirSync(folder)
    .filter((name) => /^[0-9]+$/.test(name))
    .map((name) => findManifest(join(folder, name)))
    .filter((manifest) => manifest?.isComplete === true)
    .map((manifest) => manifest!)
    .sort((a, b) => b.start - a.start)
}

export const hashFile = async (path: string): Promise<string> => {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array)
  return hash.digest('hex')
}

/** Why a file is not the one that was written; `undefined` if it is. */
export const findDamage = async (folder: string, { name, bytes, sha256 }: FileEntry): Promise<string | undefined> => {
  const path = join(folder, name)
  const size = statSync(path, { throwIfNoEntry: false })?.size
  if (size === undefined) return `${path} is missing.`
  if (size !== bytes) return `${path} has ${size} bytes, and ${bytes} were written.`
  return (await hashFile(path)) === sha256
    ? undefined
    : `${path} is damaged: its SHA-256 is not the one in the manifest.`
}
