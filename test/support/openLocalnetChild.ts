// Unpacks the recorded local network into the cache folder that it is given, and prints where it is.
import { openLocalnet } from './localnetArchive.ts'

process.stdout.write(openLocalnet(process.argv[2]!))
