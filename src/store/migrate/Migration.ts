import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../../primitives/hash.ts'
import { fromHex } from '../../primitives/hex.ts'
import { DatabaseSchemaError } from '../errors.ts'

/** One step of the schema, as a file of SQL. */
export type Migration = {
  readonly number: number
  readonly name: string
  readonly sql: string
  readonly checksum: Uint8Array
  /** Of what it was in earlier versions: databases that have it like that are as good, or are put right by a later step. */
  readonly formerChecksums?: readonly Uint8Array[]
  /** Its one statement cannot be part of a transaction, as building an index beside readers and writers. It must bear repetition. */
  readonly standsAlone: boolean
}

// Beside the sources in a clone, beside the compiled files in the package: the build copies them.
const migrationsFolder = join(import.meta.dirname, '..', 'migrations')

const STANDS_ALONE = '-- outside a transaction\n'
const FORMERLY = /^-- formerly ([0-9a-f]{64})\b/gm

/** Every step, in order. The files are numbered without a gap. */
export const listMigrations = (folder: string = migrationsFolder): readonly Migration[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file, index) => readMigration(folder, file, index + 1))

const readMigration = (folder: string, file: string, expected: number): Migration => {
  const [, digits, name] = /^(\d{4})_([a-z0-9_]+)\.sql$/.exec(file) ?? []
  if (name === undefined || Number(digits) !== expected) {
    throw new DatabaseSchemaError(`The migration ${file} is out of order: number ${expected} was expected.`)
  }
  // Line endings differ between systems, and must not make another migration of it.
  const sql = readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n')
  const checksum = sha256(new TextEncoder().encode(sql))
  const formerChecksums = [...sql.matchAll(FORMERLY)].map(([, hex]) => fromHex(hex!))
  return { number: expected, name, sql, checksum, formerChecksums, standsAlone: sql.startsWith(STANDS_ALONE) }
}
