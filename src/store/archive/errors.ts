import { CodedError } from '../../primitives/errors.ts'

/** A file of an archive is missing, damaged, or not of this index. */
export class ArchiveError extends CodedError {
  readonly code = 'archive_invalid'
}

/** The packages for Parquet files are not installed. */
export class ParquetMissingError extends CodedError {
  readonly code = 'parquet_not_installed'
}
