[playlist]
numberofentries=3
File2=/home/ada/Music/Blue Train/02 Moment's Notice.flac
Title2=John Coltrane - Moment's Notice
Length2=550
file1=/home/ada/Music/Blue Train/01 Blue Train.flac
TITLE1=John Coltrane - Blue Train
length1=643
File10=http://somafm.example:8000/
Title10=SomaFM
Length10=-1
Version=2
