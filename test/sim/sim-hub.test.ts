import { simulate } from './suite.ts'

simulate('hub')
