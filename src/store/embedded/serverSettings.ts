import { totalmem } from 'node:os'

/** Whether what was written must survive the failure of the machine. A test has no use for that. */
export type Durability = 'full' | 'none'

type ServerSettings = Readonly<Record<string, string>>

// For one writer that loads in bulk and readers of single rows, in little memory: pages that are not used cost none.
const common: ServerSettings = {
  max_connections: '64',
  effective_cache_size: '1GB',
  work_mem: '8MB',
  maintenance_work_mem: '128MB',
  max_parallel_workers_per_gather: '0',
  io_method: 'sync',
  huge_pages: 'off',

  // Nobody replicates from it, so a table that is filled in the transaction that made it needs no log.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_replication_slots: '0',
  max_logical_replication_workers: '0',
  max_wal_size: '1GB',
  min_wal_size: '80MB',
  checkpoint_timeout: '10min',

  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'warning',
  log_checkpoints: 'off',
  cluster_name: 'chaincenter',
  unix_socket_permissions: '0700',
}

// Many test files share one server.
const forTests: ServerSettings = {
  shared_buffers: '256MB',
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: '200',
}

// One call for the whole file system after a crash, in place of one for each of a thousand files. Only Linux has it.
const onLinux: ServerSettings = { recovery_init_sync_method: 'syncfs' }

/** What the machine has, or the container. */
const findMemory = (): number => Math.min(totalmem(), process.constrainedMemory() || totalmem())

const MIB = 2 ** 20

/**
 * A sixteenth of the memory, within bounds, for pages of the database. The system keeps those as well that do not fit; but each that is
 * taken from there is copied and its sum checked, which for an index of a gigabyte was a sixth of what reads cost the server.
 */
export const choosePageMemory = (memory: number): string =>
  `${Math.min(2048, Math.max(256, Math.floor(memory / 16 / MIB)))}MB`

export const serverSettings = (durability: Durability): ServerSettings => ({
  ...common,
  shared_buffers: choosePageMemory(findMemory()),
  ...(process.platform === 'linux' ? onLinux : {}),
  ...(durability === 'none' ? forTests : {}),
})
