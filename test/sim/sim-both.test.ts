import { simulate } from './suite.ts'

simulate('both')
