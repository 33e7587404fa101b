// The program itself, compiled or not as whoever starts it is: its words and flags are given.
import { main } from '../../src/cli/main.ts'

await main()
