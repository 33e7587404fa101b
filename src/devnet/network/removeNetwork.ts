import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { lockFolder } from '../store/lockFolder.ts'

/** Removes the network in a folder, unless some process is at work with it. */
export const removeNetwork = async (folder: string): Promise<void> => {
  if (!existsSync(folder)) return
  const unlock = lockFolder(folder)
  try {
    await rm(folder, { recursive: true, force: true })
  } finally {
    unlock()
  }
}
