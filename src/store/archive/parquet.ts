import { statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { CodedError } from '../../primitives/errors.ts'
import { ArchiveError } from './manifest.ts'

/** The packages for Parquet files are not installed. */
class ParquetMissingError extends CodedError {
  readonly code = 'parquet_not_installed'
}

// The packages for Parquet are not installed with this one, so the compiler must not need them: these are the parts of them that are
// used.

type SchemaElement = {
  readonly name: string
  readonly type?: ParquetType
  readonly converted_type?: 'UTF8'
  readonly repetition_type?: 'REQUIRED' | 'OPTIONAL'
  readonly num_children?: number
}

type ParquetType = 'BOOLEAN' | 'INT32' | 'INT64' | 'BYTE_ARRAY'

type FileWriter = { readonly offset: number }

type WriterLibrary = {
  fileWriter(filename: string): FileWriter
  readonly ParquetWriter: new (options: {
    writer: FileWriter
    schema: readonly SchemaElement[]
    statistics: boolean
    createdBy: string
  }) => {
    write(options: {
      columnData: readonly { readonly name: string; readonly data: readonly unknown[] }[]
      rowGroupSize: number
    }): Promise<void> | undefined
    finish(): Promise<void> | undefined
  }
}

type FileBytes = { readonly byteLength: number; slice(start: number, end?: number): Promise<ArrayBuffer> }
type Metadata = { readonly row_groups: readonly { readonly num_rows: bigint }[] }

type ReaderLibrary = {
  parquetMetadataAsync(file: FileBytes): Promise<Metadata>
  parquetReadObjects(options: {
    file: FileBytes
    metadata: Metadata
    rowStart: number
    rowEnd: number
    utf8: boolean
  }): Promise<readonly ArchivedRow[]>
}

export type ParquetLibrary = { readonly writer: WriterLibrary; readonly reader: ReaderLibrary }

/** With the versions that were tried. The same as in package.json. */
const packages = { writer: 'hyparquet-writer@0.17', reader: 'hyparquet@1.31' } as const

export const loadParquet = async (): Promise<ParquetLibrary> => ({
  writer: (await load(packages.writer)) as WriterLibrary,
  reader: (await load(packages.reader)) as ReaderLibrary,
})

const load = async (versioned: string): Promise<unknown> => {
  const name: string = versioned.replace(/@[^@]*$/, '')
  try {
    return await import(name)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause
    throw new ParquetMissingError(
      `Parquet files need the package ${name}, which is not installed. Run: npm install ${Object.values(packages).join(' ')}`,
      { cause },
    )
  }
}

/** A value as Parquet has it: see archivedColumn. */
export type ArchivedValue = number | bigint | boolean | string | Uint8Array | null
export type ArchivedRow = { readonly [column: string]: ArchivedValue }

export type ParquetColumn = {
  readonly name: string
  readonly type: ParquetType
  readonly isText: boolean
  readonly nullable: boolean
}

/** Writes rows to a file, one group of rows after the other: only one is in memory. */
export const writeParquet = async (
  { writer: library }: ParquetLibrary,
  path: string,
  columns: readonly ParquetColumn[],
  groups: AsyncIterable<readonly ArchivedRow[]>,
): Promise<number> => {
  const writer = new library.ParquetWriter({
    writer: library.fileWriter(path),
    schema: [
      { name: 'root', num_children: columns.length },
      ...columns.map(({ name, type, isText, nullable }) => ({
        name,
        type,
        ...(isText && ({ converted_type: 'UTF8' } as const)),
        repetition_type: nullable ? ('OPTIONAL' as const) : ('REQUIRED' as const),
      })),
    ],
    statistics: true,
    createdBy: 'chaincenter',
  })
  let rows = 0
  for await (const group of groups) {
    if (group.length === 0) continue
    const columnData = columns.map(({ name }) => ({ name, data: group.map((row) => row[name] ?? null) }))
    await writer.write({ columnData, rowGroupSize: group.length })
    rows += group.length
  }
  await writer.finish()
  return rows
}

/** Reads the rows of a file, one group after the other. */
export const readParquet = async function* (
  { reader: library }: ParquetLibrary,
  path: string,
): AsyncGenerator<readonly ArchivedRow[]> {
  const handle = await open(path)
  try {
    const file: FileBytes = {
      byteLength: statSync(path).size,
      slice: async (start, end = statSync(path).size) => {
        const bytes = new Uint8Array(end - start)
        await handle.read(bytes, 0, bytes.length, start)
        return bytes.buffer
      },
    }
    const metadata = await library.parquetMetadataAsync(file)
    let rowStart = 0
    for (const { num_rows: count } of metadata.row_groups) {
      const rowEnd = rowStart + Number(count)
      yield await library.parquetReadObjects({ file, metadata, rowStart, rowEnd, utf8: false })
      rowStart = rowEnd
    }
  } catch (cause) {
    if (cause instanceof ArchiveError) throw cause
    throw new ArchiveError(`${path} cannot be read as Parquet: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    })
  } finally {
    await handle.close()
  }
}
