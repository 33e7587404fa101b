import type { Command } from '../Command.ts'
import { help } from './help.ts'
import { start } from './start.ts'

/** Every command, in the order in which help shows them. */
export const commands: readonly Command[] = [start, help]
