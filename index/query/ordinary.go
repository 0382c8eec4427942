package query

import (
	"strings"

	"ploke-lsp/internal/o200k"
)

// ordinary reports whether a word in lower case is one of English or of programming languages. Only frequent words are
// one token; frequent mistakes are, too.
func ordinary(word string) bool {
	return strings.ToLower(word) == word && !mistakes[word] && (o200k.Count(" "+word) == 1 || o200k.Count(word) == 1)
}

// mistakes are frequent misspellings.
var mistakes = func() map[string]bool {
	all := map[string]bool{}
	for _, word := range strings.Fields(`accomodate acheive adress apparant arguement begining beleive calender catagory
		commited comming concious definately dependancy desireable embarass enviroment existance explicitely extention
		foward grammer greatful garantee gaurantee goverment happend heigth immediatly independant intial lenght liason
		libary maintainance manualy neccessary necesary noticable occassion occured occurence occuring paralel persistant
		posible postion prefered priviledge publically recieve recieved recomend refered refering remeber responce
		seperate seperated succesful successfull suprise tommorow tounge transfered truely untill useage wich widht wierd
		writting`) {
		all[word] = true
	}
	return all
}()
