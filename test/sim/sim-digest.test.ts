import { simulate } from './suite.ts'

simulate('digest')
